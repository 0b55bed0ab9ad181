// The states of all privacy units in groups that are known beforehand: in memory as far as PostgreSQL's limit for hash
// tables reaches, else on disk.
//
// Most units have few rows in each of a few groups, so that a table of units and groups would hardly be smaller than
// the rows, and each row a cache miss. So rows become records, one behind the other; a small table in front finds the
// records that were used last. When all rows are read, or memory is full, the records are put in order by unit and
// group and those of one group become one. If that does not make them half as many, all are written to partitions by
// unit, which are read back one by one. So all groups of a unit come together, and its limits are shared among them.
#pragma once

#include "aggregate/unit/kept_bytes.h"
#include "aggregate/unit/unit_states.h"
#include "core/accumulate/unit_record.h"

namespace dp::aggregate {

// Lives in a memory context of its own, without a destructor.
class GroupStates {
 public:
  // As UnitStates::make(). The group's totals are there already.
  static void make(MemoryContext above, UnitGroup* group, Oid type);

  // The record to which a row of that unit in that group (from 0 on) is to be added, where it is counted. Good until the
  // next call.
  char* record_of(Datum unit, std::uint64_t group);

  // Shares the limits of each unit among its groups and adds what counts to the totals of these. This object is gone
  // then.
  void finish();

 private:
  // Stands behind the states of a record; the first state's tag is the unit's word.
  struct Rows {
    std::uint64_t group : 24;
    std::uint64_t count : 40;
  };
  struct Bytes {
    const char* bytes;
    std::uint64_t size;
  };
  // A record where records are put in order.
  struct Place {
    std::uint64_t word;
    std::uint32_t group;
    std::uint32_t record;
  };
  // A record that was used lately.
  struct Recent {
    std::uint64_t word;
    std::uint64_t group;  // from 1 on
    State* record;
  };
  static constexpr std::uint64_t kRecent = 1024;
  static constexpr std::uint64_t kLeast = 2048;  // records

  GroupStates(MemoryContext context, UnitGroup* group, Oid type);

  State* at(std::uint64_t number) const { return reinterpret_cast<State*>(records_ + number * stride_); }
  Rows& rows_of(const State* record) const {
    return *reinterpret_cast<Rows*>(reinterpret_cast<char*>(const_cast<State*>(record)) + record_.bytes());
  }
  Bytes& bytes_of(const State* record) const { return *reinterpret_cast<Bytes*>(&rows_of(record) + 1); }
  static std::uint64_t word_of_record(const State* record) { return static_cast<std::uint64_t>(record->tag); }
  Unit unit_of(const State* record) const;

  State* append(const Unit& unit);
  std::size_t limit() const;
  void begin();
  void make_room(bool fits);
  void grow(std::uint64_t room);
  void forget_recent();
  Place* put_in_order();
  void sort(Place* begin, Place* end) const;
  bool is_before(const Place& one, const Place& other) const;
  bool is_same_unit(const State* one, const State* other) const;
  bool condense();
  void spill_all();
  void add_totals();
  void add_unit(GroupShare* first, const GroupShare* end);

  UnitGroup* group_;
  MemoryContext context_;
  MemoryContext memory_;  // of the records; emptied before each partition
  KeptBytes bytes_;       // of their units where these are long
  UnitRecord record_;
  UnitTable::Units units_;
  std::int16_t length_;
  std::size_t stride_;  // from record to record
  std::size_t limit_;   // of the records and their units' bytes
  std::size_t spill_limit_;

  char* records_;
  std::uint64_t room_;
  std::uint64_t used_ = 0;
  UnitSpill* spill_ = nullptr;
  bool spilled_ = false;  // something of what is read now

  Recent* recent_;
};

}  // namespace dp::aggregate
