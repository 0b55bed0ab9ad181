// A hash table of privacy units that have a word each, and of narrow places for them (narrow_record.h).
//
// It is for many rows of many units, where what is not in the cache is waited for: words stand by themselves and places
// side by side, so that eight units share a line of the cache, and a unit takes as little as 9 bytes. Slots lie in the
// order of the words' lower bits; units that collide take the next free slot.
//
// The memory is its owner's (aggregate/unit/unit_places.h), who also decides when it grows.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/accumulate/state.h"

namespace dp::aggregate {

class NarrowTable {
 public:
  // The highest bits of its words are not looked at: they say in which of several tables a unit is.
  static constexpr unsigned kTableBits = 8;
  static constexpr std::uint64_t kLeast = 32;  // slots

  // The memory of that many slots, kLeast or more, for places of that many bytes.
  static std::size_t bytes(std::uint64_t slots, std::size_t place_bytes) {
    return (slots * (sizeof(std::uint64_t) + place_bytes) + 7) / 8 * 8;
  }

  // Becomes empty, in new memory of bytes() zeroed bytes, 8-byte aligned.
  void begin(void* memory, std::uint64_t slots, std::size_t place_bytes);

  // Moves its units to new memory, in which they must have room.
  void move_to(void* memory, std::uint64_t slots);

  void* memory() const { return words_; }
  std::uint64_t slots() const { return slots_; }
  std::uint64_t used() const { return used_; }

  // Whether one more unit may come: an eighth of the slots stays free.
  bool has_room() const { return used_ < slots_ - slots_ / 8; }

  // Lets the processor fetch what find() of that word will read. Where it is not made part of its caller at once, the
  // compiler (gcc 12) takes it for a function that does nothing.
  [[gnu::always_inline]] void fetch(std::uint64_t word) const {
    const std::uint64_t slot = slot_of(word);
    __builtin_prefetch(words_ + slot);
    __builtin_prefetch(places_ + slot * place_bytes_, 1);
  }

  // The place of the unit of that word, which is not 0; nullptr where it is not in the table.
  char* find(std::uint64_t word) const {
    for (std::uint64_t slot = slot_of(word);; slot = next(slot)) {
      if (words_[slot] == word) return places_ + slot * place_bytes_;
      if (words_[slot] == 0) return nullptr;
    }
  }

  // A place, all zeros, for a unit that is not in the table, of a word that is not 0. There must be room.
  char* insert(std::uint64_t word);

  // The places of all slots, side by side; those of no unit are all zeros.
  const char* places() const { return places_; }

  // Calls visit(word, place) for each unit.
  template <class Visit>
  void visit(Visit visit) const {
    for (std::uint64_t slot = 0; slot < slots_; ++slot) {
      if (words_[slot] != 0) visit(words_[slot], static_cast<const char*>(places_ + slot * place_bytes_));
    }
  }

 private:
  std::uint64_t slot_of(std::uint64_t word) const {
    return static_cast<std::uint64_t>(static_cast<Uint128>(word << kTableBits) * slots_ >> 64);
  }
  std::uint64_t next(std::uint64_t slot) const { return slot + 1 == slots_ ? 0 : slot + 1; }

  std::uint64_t* words_ = nullptr;  // 0: free
  char* places_ = nullptr;
  std::uint64_t slots_ = 0;
  std::uint64_t used_ = 0;
  std::size_t place_bytes_ = 0;
};

}  // namespace dp::aggregate
