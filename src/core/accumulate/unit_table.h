// A hash table of privacy units and their states.
//
// Made for one purpose: many rows of many units, where nearly every row is a cache miss. So a slot is as small as
// possible: it holds the unit's states, one for each aggregate, and the unit's word takes the place of the first
// state's tag. Slots lie in the order of the units' words, and units that collide take the next free slot. What the
// units add up to does not depend on the order of the records.
//
// A table by groups has a slot for each group of each unit, with the group and the number of its rows behind the states.
// These lie in a random order.
//
// The memory is its owner's (unit_states.h), who also decides when it grows.
#pragma once

#include <cstring>

#include "core/accumulate/sample.h"
#include "core/accumulate/unit_state.h"

namespace dp::aggregate {

// What tells privacy units apart: two are the same where word and bytes are equal. Words should be spread over all 64
// bits.
struct Unit {
  std::uint64_t word;
  const char* bytes = nullptr;  // in a table of long units, where no word is 0
  std::uint64_t size = 0;
  std::uint64_t group = 0;  // in a table by groups: which one, from 1 on
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

// Which group of a unit a record is of, and how many of its rows, whether or not they have values.
struct GroupRows {
  std::uint64_t group;  // 0 in a slot that is free
  std::uint64_t rows;
};

class UnitTable {
 public:
  // How units are kept: by their word alone, or with their bytes as well.
  enum class Units : bool { words, long_ones };
  enum class Records : bool { of_units, of_groups };

  static constexpr std::uint64_t kLeast = 64;  // slots

  // A record has one state of each of these kinds, in that order; `samples` says of samples how many rows they keep, for
  // which there is room in each record. Both must live as long as the table.
  UnitTable(const Tag* tags, int count, Units units, const std::uint32_t* samples = nullptr,
            Records records = Records::of_units);

  Units units() const { return units_; }
  bool by_groups() const { return records_ == Records::of_groups; }
  std::size_t record_bytes() const { return record_bytes_; }
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

  // Fetches the unit's slot into the cache, for a find() that comes soon.
  void prefetch(std::uint64_t word) const { __builtin_prefetch(at(place_of(word)), 1); }
  void prefetch_group(const Unit& unit) const { __builtin_prefetch(at(place_of_group(unit)), 1); }

  // What a record of a table by groups is of.
  GroupRows& group_of(State& record) const {
    return *reinterpret_cast<GroupRows*>(reinterpret_cast<char*>(&record) + states_bytes_);
  }
  const GroupRows& group_of(const State& record) const { return group_of(const_cast<State&>(record)); }

  // The unit of a record of this table.
  Unit unit_of(const State& slot) const {
    const Bytes known = units_ == Units::words ? Bytes{nullptr, 0} : bytes_of(const_cast<State*>(&slot));
    return {word(slot), known.bytes, known.size, by_groups() ? group_of(slot).group : 0};
  }

  // The unit's record, whose tags must not be read (see above); nullptr where the unit is not in the table.
  State* find(const Unit& unit) const;

  // Inserts a unit that is not in the table, with that record. There must be room. The unit's bytes must live as long
  // as the table uses them.
  void insert(const Unit& unit, const State& record);

  // Adds `from` into `into`, two records, whatever their tags.
  void merge(State& into, const State& from) const;

  // Calls visit(number, state) for each unit and each of its states, with a copy of it; of a sample with itself, whose
  // tag must not be read.
  template <class Visit>
  void visit(Visit visit) const {
    visit_slots([&](State& slot) { visit_states(slot, visit); });
  }

  // Calls visit(slot) for each record.
  template <class Visit>
  void visit_slots(Visit visit) const {
    for (std::uint64_t place = 0; place <= slots_; ++place) {
      if (State* const slot = at(place); is_used(*slot, place)) visit(*slot);
    }
  }

  // As visit(), for the states of one record.
  template <class Visit>
  void visit_states(State& slot, Visit visit) const {
    auto* from = reinterpret_cast<char*>(&slot);
    for (int i = 0; i < count_; ++i) {
      if (tags_[i] == Tag::sample) {
        visit(i, *reinterpret_cast<State*>(from));
        from += SampleState::bytes(samples_[i]);
        continue;
      }
      AnyState state;
      state.state.tag = tags_[i];
      const std::size_t bytes = state_bytes(state.state);
      std::memcpy(static_cast<void*>(&state), from, bytes);
      state.state.tag = tags_[i];
      visit(i, state.state);
      from += bytes;
    }
  }

 private:
  // What follows the record of a long unit.
  struct Bytes {
    const char* bytes;
    std::uint64_t size;
  };

  // Word 0 has a slot of its own behind the others, because 0 marks a free slot.
  std::uint64_t place_of(std::uint64_t word) const { return word == 0 ? slots_ : scaled(word); }
  // The groups of a unit have different words each, 0 as any other.
  std::uint64_t place_of_group(const Unit& unit) const { return scaled(word_of(unit.word + unit.group)); }
  std::uint64_t scaled(std::uint64_t word) const {
    return static_cast<std::uint64_t>(static_cast<Uint128>(word) * slots_ >> 64);
  }
  bool is_used(const State& slot, std::uint64_t place) const {
    if (by_groups()) return place < slots_ && group_of(slot).group != 0;
    return place == slots_ ? has_zero_ : word(slot) != 0;
  }
  State* at(std::uint64_t place) const { return reinterpret_cast<State*>(memory_ + place * slot_bytes_); }
  std::uint64_t next(std::uint64_t place) const { return place + 1 == slots_ ? 0 : place + 1; }
  Bytes& bytes_of(State* slot) const {
    return *reinterpret_cast<Bytes*>(reinterpret_cast<char*>(slot) + record_bytes_);
  }
  static std::uint64_t word(const State& slot) { return static_cast<std::uint64_t>(slot.tag); }

  // A free slot for a unit, or one of its groups, that is not in the table.
  State* free_slot(const Unit& unit);
  State* find_group(const Unit& unit) const;
  bool has_bytes(State* slot, const Unit& unit) const {
    if (units_ == Units::words) return true;
    const Bytes& known = bytes_of(slot);
    return same_bytes(known.bytes, known.size, unit);
  }

  // Adds one state, then the ones behind it.
  template <class S>
  static void merge_one(char** into, const char** from) {
    reinterpret_cast<S*>(*into)->merge(*reinterpret_cast<const S*>(*from));
    *into += sizeof(S);
    *from += sizeof(S);
  }

  // The rows of both, as far as they may be kept. A record of no rows is all zeros.
  void merge_sample(char** into, const char** from, std::uint32_t most) const {
    auto& sample = *static_cast<SampleState*>(reinterpret_cast<State*>(*into));
    sample.most = most;
    for (const KeptRow& row : static_cast<const SampleState*>(reinterpret_cast<const State*>(*from))->rows())
      sample.keep(row);
    *into += SampleState::bytes(most);
    *from += SampleState::bytes(most);
  }

  const Tag* tags_;
  const std::uint32_t* samples_;
  int count_;
  Units units_;
  Records records_;
  std::size_t states_bytes_ = 0;
  std::size_t record_bytes_;
  std::size_t slot_bytes_;
  char* memory_ = nullptr;
  std::uint64_t slots_ = 0;
  std::uint64_t used_ = 0;
  bool has_zero_ = false;
};

// ---- what runs for each row ---------------------------------------------------------------------------------------

inline State* UnitTable::find_group(const Unit& unit) const {
  for (std::uint64_t place = place_of_group(unit);; place = next(place)) {
    State* const slot = at(place);
    const std::uint64_t group = group_of(*slot).group;
    if (group == 0) return nullptr;
    if (word(*slot) == unit.word && group == unit.group && has_bytes(slot, unit)) return slot;
  }
}

inline State* UnitTable::find(const Unit& unit) const {
  if (by_groups()) return find_group(unit);
  std::uint64_t place = place_of(unit.word);
  if (place == slots_) return has_zero_ ? at(place) : nullptr;
  for (;; place = next(place)) {
    State* const slot = at(place);
    if (word(*slot) == 0) return nullptr;
    if (word(*slot) != unit.word) continue;
    if (has_bytes(slot, unit)) return slot;
  }
}

inline void UnitTable::merge(State& into, const State& from) const {
  auto* to = reinterpret_cast<char*>(&into);
  const auto* next = reinterpret_cast<const char*>(&from);
  for (int i = 0; i < count_; ++i) {
    switch (tags_[i]) {
      case Tag::count:
        merge_one<CountState>(&to, &next);
        break;
      case Tag::sum:
        merge_one<SumState>(&to, &next);
        break;
      case Tag::mean:
        merge_one<MeanState>(&to, &next);
        break;
      case Tag::moments:
        merge_one<MomentsState>(&to, &next);
        break;
      case Tag::sample:
        merge_sample(&to, &next, samples_[i]);
        break;
      case Tag::histogram:  // has no limit
        break;
    }
  }
  if (by_groups()) group_of(into).rows += group_of(from).rows;
}

}  // namespace dp::aggregate
