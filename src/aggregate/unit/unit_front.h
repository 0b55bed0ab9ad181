// The records of units that rows came of lately, in a table that fits the processor's first cache: a unit gives way to
// the next one of its place.
//
// Where hardly a row finds its unit there, most of the table is not used for a while: then it takes longer to fetch
// records and to put them there than it saves, and only rows of one unit that are neighbours become one record.
#pragma once

#include <algorithm>

#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor.
class UnitFront {
 public:
  UnitFront(UnitTable::Units units, std::size_t record_bytes) : units_(units), record_bytes_(record_bytes) {}

  // Takes about that much memory in `context`. Before that there is no place.
  void begin(MemoryContext context, std::size_t memory);

  // The place for records of that hash, of which a row comes. It is all zeros as long as there is none.
  State* place_of(std::uint64_t hash) {
    ++rows_;
    return at(hash >> 32 & mask_);
  }
  State* first_place() const { return at(0); }

  // Whether the record at a place is of that unit, if there is one.
  bool is_of(const State* record, const Unit& unit) const {
    if (record->tag != static_cast<Tag>(unit.word)) return false;
    return units_ == UnitTable::Units::words || same_bytes(bytes_of(record).bytes, bytes_of(record).size, unit);
  }

  Unit unit_of(const State* record) const {
    Unit unit{static_cast<std::uint64_t>(record->tag)};
    if (units_ == UnitTable::Units::words) return unit;
    return {unit.word, bytes_of(record).bytes, bytes_of(record).size};
  }

  // Whether a unit with such bytes can come before the table must be emptied.
  bool has_room(const Unit& unit) const { return unit.size <= room_ - (mask_ == 0 ? 0 : used_); }

  // Whether but one place is used; and a row comes that is not kept here.
  bool rests() const { return mask_ == 0; }
  void pass() { ++made_; }

  // Whether another part of the table is to be used, since few rows found their units in it, or it is long since that was
  // tried. It is once the table is emptied.
  bool is_to_change() {
    if (made_ < (mask_ == 0 ? kRest : kTrial)) return false;
    changes_ = mask_ == 0 || rows_ - made_ < made_ / 8;
    if (!changes_) rows_ = made_ = 0;
    return changes_;
  }

  // Makes what is at a place a record of no rows of that unit.
  void make(State* record, const Unit& unit) {
    ++made_;
    if (mask_ == 0) used_ = 0;
    // Word by word: what memset() writes at once the processor may not read at once, where it adds the row.
    auto* const words = reinterpret_cast<volatile std::uint64_t*>(record);
    for (std::size_t i = 0; i < record_bytes_ / sizeof *words; ++i) words[i] = 0;
    record->tag = static_cast<Tag>(unit.word);
    if (units_ == UnitTable::Units::words) return;
    const_cast<Bytes&>(bytes_of(record)) = {bytes_ + used_, unit.size};
    if (unit.size > 0) std::memcpy(bytes_ + used_, unit.bytes, unit.size);
    used_ += unit.size;
  }

  // Calls put(record) for each place, and empties all; then there is room for that unit.
  template <class Put>
  void empty(const Unit& unit, Put put) {
    for (std::uint64_t i = 0; i <= mask_; ++i) put(at(i));
    clear(unit.size);
  }

 private:
  // What stands behind the record of a long unit.
  struct Bytes {
    const char* bytes;
    std::uint64_t size;
  };

  std::size_t stride() const { return record_bytes_ + (units_ == UnitTable::Units::long_ones ? sizeof(Bytes) : 0); }
  State* at(std::uint64_t number) const { return reinterpret_cast<State*>(memory_ + number * stride()); }
  const Bytes& bytes_of(const State* record) const {
    return *reinterpret_cast<const Bytes*>(reinterpret_cast<const char*>(record) + record_bytes_);
  }
  void clear(std::size_t room);

  // So many records are made before it is known whether the table pays, and before it is tried again.
  static constexpr std::uint64_t kTrial = 4096, kRest = 65536;

  UnitTable::Units units_;
  std::size_t record_bytes_;
  MemoryContext context_ = nullptr;
  std::uint64_t places_ = 0;  // a power of 2
  std::uint64_t mask_ = 0;    // of the numbers of those that are used
  std::uint64_t rows_ = 0;    // since the other part was used
  std::uint64_t made_ = 0;    // records, of them
  bool changes_ = false;
  char* memory_ = nullptr;
  char* bytes_ = nullptr;  // of long units
  std::size_t room_ = 0;
  std::size_t used_ = 0;
};

}  // namespace dp::aggregate
