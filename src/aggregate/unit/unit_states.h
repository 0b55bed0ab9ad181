// The states of all privacy units: in memory as far as PostgreSQL's limit for hash tables reaches, else on disk.
//
// The aggregates of one node keep them together, so that a row's unit is looked up once: a record has the unit's state
// for each aggregate. Rows first become records, neighbouring rows of one unit a single one; then records are added up
// by unit. States are integers, so the sums depend neither on the order of rows nor on what was spilled.
//
// Where rows are counted by groups, a record is of a unit's rows in one group. All groups of a unit come together once
// all rows are read: where something was spilled all records are, and a partition that fits is put in order by unit.
#pragma once

#include "aggregate/unit/unit_spill.h"
#include "core/accumulate/group_shares.h"
#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Whether units of that type are equal where their stored bytes are, so that no code of the type is needed to tell them
// apart.
bool are_told_by_bytes(Oid type, Oid collation);

class UnitStates;

// What one aggregate has of the records.
struct UnitShare {
  std::size_t offset;  // of its state in a record
  std::uint32_t rows;  // as in limit_unit()
  RowSteps row;
  AnyState total;          // complete once all rows are added
  HistogramState* counts;  // the same of a sample
  int buckets;             // of these
  AnyState* by_group;      // the totals of each group, where there are any
};

// The aggregates of one node.
struct UnitGroup {
  int count;
  Tag* tags;
  std::uint32_t* samples;  // as UnitTable has them
  UnitShare* shares;
  UnitStates* states;  // nullptr before the first row and after the last one

  // By groups:
  std::uint64_t groups;  // how many there are
  GroupLimits limits;
  char* row;             // the record to which the current row belongs; nullptr: none
  const void* row_call;  // what finds it; nullptr where all rows are one group
};

// Lives in a memory context of its own, without a destructor.
class UnitStates {
 public:
  // Makes the states of that group, for units of that type, in a memory context below `above`. The group points to it
  // as long as it lives.
  static void make(MemoryContext above, UnitGroup* group, Oid type);

  // The record to which a row of that unit is to be added: empty, or with neighbouring rows of the same unit.
  char* record_of(Datum unit) {
    if (table_.units() == UnitTable::Units::long_ones) return record_of_long(unit);
    const std::uint64_t word = word_of(plain(unit));
    if (waiting_ > 0 && last()->tag == static_cast<Tag>(word)) return reinterpret_cast<char*>(last());
    table_.prefetch(word);
    return begin_record(word);
  }

  // The same of a row in that group (from 0 on), which is counted.
  char* record_of_group(Datum unit, std::uint64_t group);

  // Limits the states of each unit (limit_unit) and adds them to the totals. This object is gone then.
  void finish();

 private:
  // So many records wait while their slots in the table are fetched into the cache; they count towards no limit. Of
  // long units only one waits, because its bytes are copied.
  static constexpr int kBatch = 64;

  UnitStates(MemoryContext context, UnitGroup* group, Oid type);

  State* waiting(int number) {
    return reinterpret_cast<State*>(batch_ + static_cast<std::size_t>(number) * table_.record_bytes());
  }
  State* last() { return waiting(waiting_ - 1); }

  // Begins an empty record, which is the last of those that wait.
  char* begin_record(std::uint64_t word) {
    if (waiting_ == kBatch) flush();
    ++waiting_;
    last()->tag = static_cast<Tag>(word);
    return reinterpret_cast<char*>(last());
  }

  // The bits of a value that is stored in a Datum: the bits above its length are not defined.
  std::uint64_t plain(Datum value) const {
    return length_ == 8 ? value : value & ((std::uint64_t{1} << 8 * length_) - 1);
  }

  void begin();
  char* record_of_long(Datum unit, std::uint64_t group = 0);
  void add_totals();
  void add_group_totals();
  void add_unit(GroupShare* first, const GroupShare* end);
  void spill_all();
  void flush();
  void add(const Unit& unit, const State& record);
  void add_new(const Unit& unit, const State& record);
  bool make_room(const Unit& unit);
  bool grow(bool must);
  const char* keep(const Unit& unit);

  UnitGroup* group_;
  MemoryContext context_;
  MemoryContext table_memory_;  // emptied before each partition
  std::size_t limit_;           // of the table and its units' bytes
  std::size_t spill_limit_;
  std::uint64_t least_;  // so many records always get in
  std::int16_t length_;
  bool full_ = false;  // the table takes no new units
  UnitTable table_;
  UnitSpill* spill_ = nullptr;

  // The bytes of long units: in pieces of memory, of which `left_` bytes at `place_` are free.
  std::size_t kept_ = 0;
  char* place_ = nullptr;
  std::size_t left_ = 0;

  int waiting_ = 0;
  char* batch_;
  Unit long_unit_{};            // of the one that waits
  char* long_bytes_ = nullptr;  // its bytes
  std::size_t long_room_ = 0;
};

}  // namespace dp::aggregate
