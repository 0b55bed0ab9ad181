// The states of all privacy units in groups that are known beforehand: in memory as far as PostgreSQL's limit for hash
// tables reaches, else on disk.
//
// Most units have few rows in each of a few groups, so that a table of units and groups would hardly be smaller than
// the rows, and each row a cache miss. So rows become records of a unit in a group, in a small table in front, and
// these are packed into partitions by unit (unit_spill.h), one behind the other. Where memory is full of records and
// half as many would do, they become fewer. At the end one partition after the other, which fits the processor's
// cache, is put in order by unit and group. So all groups of a unit come together, and its limits are shared among
// them.
#pragma once

#include <span>

#include "aggregate/unit/shipped_records.h"
#include "aggregate/unit/unit_choices.h"
#include "aggregate/unit/unit_front.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/unit_record.h"

namespace dp::aggregate {

// The numbers of groups are below this.
inline constexpr unsigned kGroupBits = 24;
inline constexpr std::uint64_t kMostGroupNumbers = std::uint64_t{1} << kGroupBits;

// Lives in a memory context of its own, without a destructor.
class GroupStates {
 public:
  // As UnitStates::make(). The group's totals are there already.
  static void make(MemoryContext above, UnitGroup* group, Oid type);

  // The record to which a row of that unit in that group (from 0 on) is to be added, where it is counted. Good until
  // the next call.
  char* record_of(Datum unit, std::uint64_t group);

  // Shares the limits of each unit among its groups and adds what counts to the totals of these. This object is gone
  // then.
  void finish();

  // In a parallel plan (shipped_groups.h): the type of the units, how records are written, and how long they are.
  Oid type() const { return type_; }
  const UnitFormat& format() const { return spill_->format(); }
  std::size_t record_bytes() const { return record_.bytes() + sizeof(Rows); }

  // After the last row, calls write(unit, pack) for each record, those of one group of a unit as one where that makes
  // them fewer: pack(to) writes the states there, and returns what is behind them. This object is gone then.
  template <class Write>
  void ship(Write write);

  // Adds a record that another process has shipped; or all that it has in a file. Records lie there partition by
  // partition. So where all processes have files, they are not written anew, but read together.
  void add_record(const UnitEntry& entry);
  void add_file(const ShippedHead& head, const bytea* shipped, FileSet* files);

 private:
  // Stands behind the states of a record; the first state's tag is not used but in front, for the unit's word.
  // One number, not bit fields: the processor waits where it reads more than it has just written.
  class Rows {
   public:
    Rows(std::uint64_t group, std::uint64_t count) : number_(count << kGroupBits | group) {}
    std::uint64_t group() const { return number_ & ((std::uint64_t{1} << kGroupBits) - 1); }
    std::uint64_t count() const { return number_ >> kGroupBits; }
    void add(std::uint64_t rows) { number_ += rows << kGroupBits; }

   private:
    std::uint64_t number_;
  };
  // A packed record of the partition that is read. Those of a word are ordered by group.
  class Place {
   public:
    Place(std::uint64_t word, std::uint64_t group, std::uint64_t offset)
        : word_(word), number_(group << kOffsetBits | offset) {}
    std::uint64_t word() const { return word_; }
    std::uint64_t group() const { return number_ >> kOffsetBits; }
    std::uint64_t offset() const { return number_ & ((std::uint64_t{1} << kOffsetBits) - 1); }
    bool operator<(const Place& other) const {
      return word_ != other.word_ ? word_ < other.word_ : number_ < other.number_;
    }

   private:
    static constexpr unsigned kOffsetBits = 64 - kGroupBits;
    std::uint64_t word_;
    std::uint64_t number_;
  };

  GroupStates(MemoryContext context, UnitGroup* group, Oid type);

  Rows& rows_of(const State* record) const {
    return *reinterpret_cast<Rows*>(reinterpret_cast<char*>(const_cast<State*>(record)) + record_.bytes());
  }
  State* merged(std::uint64_t number) const { return reinterpret_cast<State*>(merged_ + number * record_bytes()); }

  void give_way(State* record, const Unit& unit, std::uint64_t group);
  void put_front(const State* record);
  void put(const Unit& unit, const State& record);
  char* pack(char* to, const State& record) const;
  void condense();

  void empty_front();
  void read_files();
  void put_files();
  bool read_partition();
  bool end_partition();
  void begin();
  void read(const UnitEntry& entry);
  void make_room(std::size_t more);
  Place* places() const { return reinterpret_cast<Place*>(memory_ + room_) - used_; }
  UnitEntry entry_at(const Place& place) const {
    UnitEntry entry{};
    spill_->format().read(memory_ + place.offset(), bytes_ - place.offset(), &entry);
    entry.unit.word = place.word();
    return entry;
  }
  void put_in_order();
  bool tell_apart(Place* first, Place* end) const;
  template <class Visit>
  void visit_units(Visit visit);
  void unpack(State* record, const UnitEntry& entry) const;
  void make_room_for_groups();
  void merge_and_put();
  void add_totals();
  void add_unit(std::span<GroupShare> groups);
  void add_to_arms(std::span<const GroupShare> groups);
  void add_to_choices(std::span<const GroupShare> groups);
  template <class Visit>
  void with_state(int aggregate, Visit visit);
  template <class S>
  void add_to_total(const UnitShare& share, const GroupShare& group, std::uint32_t rows);
  template <class S>
  void add_to_choice(const UnitShare& share, std::span<const GroupShare> groups, std::uint64_t key);

  UnitGroup* group_;
  Oid type_;
  MemoryContext context_;
  UnitRecord record_;
  UnitTable::Units units_;
  std::int16_t length_;
  std::size_t limit_;  // of the records that are in memory; and of those that are read
  UnitFront front_;
  UnitSpill* spill_;
  State* unpacked_;  // a record that was read

  List* files_ = NIL;  // ShippedRecords*

  // What is read: entries from the beginning on, one behind the other, and from the end on where they are.
  char* memory_ = nullptr;
  std::size_t room_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t used_ = 0;
  bool parted_ = false;  // some of the partition was put into others

  // The records of one unit, a group each.
  char* merged_ = nullptr;
  std::uint64_t merged_room_ = 0;
  GroupShare* shares_ = nullptr;
  Uint128* magnitudes_ = nullptr;  // where limits are chosen: as add_to_choice() has them
  UnitChoices choices_;            // where some have one together
  bool has_arms_ = false;          // that is so
};

// ---- parallel plans -----------------------------------------------------------------------------------------------

template <class Write>
void GroupStates::ship(Write write) {
  bool become_fewer = true;
  empty_front();
  put_files();
  while (spill_->next()) {
    CHECK_FOR_INTERRUPTS();
    UnitEntry entry{};
    if (!become_fewer) {
      while (spill_->get(&entry)) write(entry.unit, [&entry](char* to) { return entry.copy_packed(to); });
      continue;
    }
    if (!read_partition()) continue;
    std::uint64_t shipped = 0;
    visit_units([&](const Unit& unit, std::uint64_t groups) {
      for (std::uint64_t i = 0; i < groups; ++i) write(unit, [&](char* to) { return pack(to, *merged(i)); });
      shipped += groups;
    });
    become_fewer = 2 * shipped <= used_;
  }
  MemoryContextDelete(context_);
}

// Calls visit(unit, groups) for each unit, of whose groups so many merged() records are there then.
template <class Visit>
void GroupStates::visit_units(Visit visit) {
  put_in_order();
  Place* const places = this->places();
  bool is_one = true;  // unit that has this word
  for (std::uint64_t i = 0, told_apart = 0; i < used_;) {
    CHECK_FOR_INTERRUPTS();
    const std::uint64_t word = places[i].word();
    if (units_ == UnitTable::Units::long_ones && i == told_apart) {
      while (told_apart < used_ && places[told_apart].word() == word) ++told_apart;
      is_one = tell_apart(places + i, places + told_apart);
    }
    const Unit unit = entry_at(places[i]).unit;
    std::uint64_t groups = 0;
    for (; i < used_ && places[i].word() == word; ++i) {
      constexpr std::uint64_t kAhead = 8;
      if (used_ - i > kAhead) __builtin_prefetch(memory_ + places[i + kAhead].offset());
      const UnitEntry entry = entry_at(places[i]);
      if (!is_one && !same_bytes(unit.bytes, unit.size, entry.unit)) break;
      if (groups > 0 && rows_of(merged(groups - 1)).group() == places[i].group()) {
        unpack(unpacked_, entry);
        record_.merge(*merged(groups - 1), *unpacked_);
        rows_of(merged(groups - 1)).add(rows_of(unpacked_).count());
      } else {
        if (groups == merged_room_) make_room_for_groups();
        unpack(merged(groups++), entry);
      }
    }
    visit(unit, groups);
  }
}

}  // namespace dp::aggregate
