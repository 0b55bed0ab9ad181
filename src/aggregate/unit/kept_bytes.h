// The bytes of long privacy units, in pieces of memory: as long as what refers to them.
#pragma once

#include <algorithm>
#include <cstring>

#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

class KeptBytes {
 public:
  explicit KeptBytes(MemoryContext parent)
      : memory_(AllocSetContextCreate(parent, "bytes of privacy units", ALLOCSET_SMALL_SIZES)) {}

  // A copy of the unit's bytes. `limit`: what may be kept in all, in bytes, a small part of which is taken at a time.
  const char* keep(const Unit& unit, std::size_t limit) {
    if (!has_room(unit)) {
      constexpr std::size_t kMost = 64 * 1024;
      left_ = std::max<std::size_t>(unit.size, std::min(kMost, limit / 16));
      place_ = static_cast<char*>(MemoryContextAllocHuge(memory_, left_));
      size_ += left_;
    }
    char* const copy = place_;
    if (unit.size > 0) std::memcpy(copy, unit.bytes, unit.size);
    place_ += unit.size;
    left_ -= unit.size;
    return copy;
  }

  // Whether it fits the piece that was taken last.
  bool has_room(const Unit& unit) const { return unit.size <= left_; }

  // The bytes taken so far.
  std::size_t size() const { return size_; }

  // Lets go of all of them.
  void forget() {
    MemoryContextReset(memory_);
    size_ = left_ = 0;
  }

  // The same, and no more are kept.
  void end() { MemoryContextDelete(memory_); }

 private:
  MemoryContext memory_;
  std::size_t size_ = 0;
  char* place_ = nullptr;
  std::size_t left_ = 0;  // bytes free at place_
};

}  // namespace dp::aggregate
