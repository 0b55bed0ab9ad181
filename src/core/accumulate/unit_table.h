// A hash table of privacy units and their states.
//
// Made for one purpose: many rows of many units, where what is not in the cache is waited for. So a slot is as small as
// possible: it holds the unit's states, one for each aggregate, and the unit's word takes the place of the first
// state's tag. Slots lie in the order of the units' words, and units that collide take the next free slot. What the
// units add up to does not depend on the order of the records.
//
// The memory is its owner's (unit_states.h), who also decides when it grows.
#pragma once

#include <cstring>

#include "core/accumulate/unit_record.h"

namespace dp::aggregate {

// What tells privacy units apart: two are the same where word and bytes are equal. Words should be spread over all 64
// bits.
struct Unit {
  std::uint64_t word;
  const char* bytes = nullptr;  // in a table of long units, where no word is 0
  std::uint64_t size = 0;
};

// Whether these are the unit's bytes. The pointers of an empty unit are not read.
inline bool same_bytes(const char* bytes, std::uint64_t size, const Unit& unit) {
  return size == unit.size && (size == 0 || std::memcmp(bytes, unit.bytes, size) == 0);
}

// The word of a unit that has at most 64 bits: one for each, so that it needs no bytes. (MurmurHash3's finaliser.)
constexpr std::uint64_t word_of(std::uint64_t unit) {
  unit = (unit ^ unit >> 33) * 0xff51afd7ed558ccd;
  unit = (unit ^ unit >> 33) * 0xc4ceb9fe1a85ec53;
  return unit ^ unit >> 33;
}

// The word of a unit that has those bytes; never 0. Two 64-bit halves are multiplied and folded (as in wyhash), eight
// bytes at a time, of which the last may be read twice.
inline std::uint64_t word_of(const char* bytes, std::size_t size) {
  const auto load = [](const char* from, std::size_t count) {
    std::uint64_t part = 0;
    std::memcpy(&part, from, count);
    return part;
  };
  const auto fold = [](std::uint64_t one, std::uint64_t other) {
    const Uint128 product = static_cast<Uint128>(one) * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  constexpr std::uint64_t kFirst = 0xa076'1d64'78bd'642f, kSecond = 0xe703'7ed1'a0b4'28db;
  std::uint64_t word = (size + 1) * kFirst;
  std::size_t done = 0;
  for (; size - done > 8; done += 8) word = fold(word ^ load(bytes + done, 8), kSecond);
  const std::uint64_t last = size >= 8 ? load(bytes + size - 8, 8) : size == 0 ? 0 : load(bytes, size);
  word = word_of(fold(word ^ last, kSecond));
  return word == 0 ? 1 : word;
}

class UnitTable {
 public:
  // How units are kept: by their word alone, or with their bytes as well.
  enum class Units : bool { words, long_ones };

  static constexpr std::uint64_t kLeast = 64;  // slots

  // A record has states of these kinds, as UnitRecord has it.
  UnitTable(const Tag* tags, int count, Units units, const std::uint32_t* samples = nullptr);

  Units units() const { return units_; }
  const UnitRecord& record() const { return record_; }
  std::size_t slot_bytes() const { return slot_bytes_; }

  // The memory of that many slots, kLeast or more.
  std::size_t bytes(std::uint64_t slots) const { return (slots + 1) * slot_bytes_; }

  // Becomes empty, in new memory of bytes(slots) zeroed bytes, 8-byte aligned.
  void begin(void* memory, std::uint64_t slots);

  // Moves its records to new memory, in which they must have room.
  void move_to(void* memory, std::uint64_t slots);

  void* memory() const { return memory_; }
  std::uint64_t slots() const { return slots_; }
  std::uint64_t used() const { return used_; }

  // Whether one more unit may come: a quarter of the slots stays free.
  bool has_room() const { return used_ < slots_ - slots_ / 4; }

  // The unit's record, whose tags must not be read (see above); nullptr where the unit is not in the table.
  State* find(const Unit& unit) const;

  // Inserts a unit that is not in the table, with that record. There must be room. The unit's bytes must live as long
  // as the table uses them.
  void insert(const Unit& unit, const State& record);

  // Adds `from` into `into`, two records, whatever their tags.
  void merge(State& into, const State& from) const { record_.merge(into, from); }

  // Calls visit(unit, record) for each unit, whose record has that word in the place of its first tag.
  template <class Visit>
  void visit_records(Visit visit) const {
    for (std::uint64_t place = 0; place <= slots_; ++place) {
      State* const slot = at(place);
      if (!(place == slots_ ? has_zero_ : word(*slot) != 0)) continue;
      Unit unit{word(*slot)};
      if (units_ == Units::long_ones) {
        unit.bytes = bytes_of(slot).bytes;
        unit.size = bytes_of(slot).size;
      }
      visit(unit, *slot);
    }
  }

 private:
  // What follows the record of a long unit.
  struct Bytes {
    const char* bytes;
    std::uint64_t size;
  };

  // Word 0 has a slot of its own behind the others, because 0 marks a free slot.
  std::uint64_t place_of(std::uint64_t word) const {
    return word == 0 ? slots_ : static_cast<std::uint64_t>(static_cast<Uint128>(word) * slots_ >> 64);
  }
  State* at(std::uint64_t place) const { return reinterpret_cast<State*>(memory_ + place * slot_bytes_); }
  std::uint64_t next(std::uint64_t place) const { return place + 1 == slots_ ? 0 : place + 1; }
  Bytes& bytes_of(State* slot) const {
    return *reinterpret_cast<Bytes*>(reinterpret_cast<char*>(slot) + record_.bytes());
  }
  static std::uint64_t word(const State& slot) { return static_cast<std::uint64_t>(slot.tag); }

  // A free slot for a unit of that word, which is not in the table.
  State* free_slot(std::uint64_t word);

  UnitRecord record_;
  Units units_;
  std::size_t slot_bytes_;
  char* memory_ = nullptr;
  std::uint64_t slots_ = 0;
  std::uint64_t used_ = 0;
  bool has_zero_ = false;
};

// ---- what runs for each row ---------------------------------------------------------------------------------------

inline State* UnitTable::find(const Unit& unit) const {
  std::uint64_t place = place_of(unit.word);
  if (place == slots_) return has_zero_ ? at(place) : nullptr;
  for (;; place = next(place)) {
    State* const slot = at(place);
    if (word(*slot) == 0) return nullptr;
    if (word(*slot) != unit.word) continue;
    if (units_ == Units::words) return slot;
    const Bytes& known = bytes_of(slot);
    if (same_bytes(known.bytes, known.size, unit)) return slot;
  }
}

}  // namespace dp::aggregate
