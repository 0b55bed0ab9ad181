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

#include "aggregate/unit/unit_front.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/unit_record.h"

namespace dp::aggregate {

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
  static constexpr unsigned kGroupBits = 24;

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
  std::size_t record_bytes() const { return record_.bytes() + sizeof(Rows); }
  State* merged(std::uint64_t number) const { return reinterpret_cast<State*>(merged_ + number * record_bytes()); }

  void give_way(State* record, const Unit& unit, std::uint64_t group);
  void put_front(const State* record);
  void put(const Unit& unit, const State& record);
  void condense();

  void begin();
  void read(const UnitEntry& entry);
  void make_room(std::size_t more);
  Place* places() const { return reinterpret_cast<Place*>(memory_ + room_) - used_; }
  UnitEntry entry_at(const Place& place) const { return spill_->entry_at(memory_ + place.offset()); }
  void put_in_order();
  bool tell_apart(Place* first, Place* end) const;
  template <class Visit>
  void visit_units(Visit visit);
  void unpack(State* record, const UnitEntry& entry) const;
  void make_room_for_groups();
  void merge_and_put();
  void add_totals();
  void add_unit(std::span<GroupShare> groups);

  UnitGroup* group_;
  MemoryContext context_;
  UnitRecord record_;
  UnitTable::Units units_;
  std::int16_t length_;
  std::size_t limit_;  // of the records that are in memory; and of those that are read
  UnitFront front_;
  UnitSpill* spill_;
  State* unpacked_;  // a record that was read

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
};

}  // namespace dp::aggregate
