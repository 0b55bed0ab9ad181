// The states of all privacy units: in memory as far as PostgreSQL's limit for hash tables reaches, else on disk.
//
// The aggregates of one node keep them together, so that a row's unit is looked up once: a record has the unit's state
// for each aggregate. Rows first become records, neighbouring rows of one unit a single one; then records are added up
// by unit. States are integers, so the sums depend neither on the order of rows nor on what was spilled.
#pragma once

#include "aggregate/unit/unit_spill.h"
#include "core/accumulate/group_shares.h"
#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Whether units of that type are equal where their stored bytes are, so that no code of the type is needed to tell them
// apart.
bool are_told_by_bytes(Oid type, Oid collation);

// The bits of a value that is stored in a Datum and has so many bytes: the bits above them are not defined.
inline std::uint64_t plain_bits(Datum value, std::int16_t length) {
  return length == 8 ? value : value & ((std::uint64_t{1} << 8 * length) - 1);
}

// A unit that is not stored in a Datum, of a type of that length; its bytes live as long as the value.
Unit long_unit(Datum value, std::int16_t length);

class GroupStates;
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

  // By groups (group_states.h):
  const void* row_call;  // what finds the group of a row; nullptr where all rows are one group
  std::uint64_t groups;  // how many there are
  GroupLimits limits;
  GroupStates* group_states;  // as `states`
  char* row;                  // the record to which the current row belongs; nullptr: none
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
    const std::uint64_t word = word_of(plain_bits(unit, length_));
    if (waiting_ > 0 && last()->tag == static_cast<Tag>(word)) return reinterpret_cast<char*>(last());
    table_.prefetch(word);
    return begin_record(word);
  }

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

  void begin();
  char* record_of_long(Datum unit);
  void flush();
  void add(const Unit& unit, const State& record);
  void add_new(const Unit& unit, const State& record);
  bool make_room(const Unit& unit);
  bool grow();
  const char* keep(const Unit& unit);

  UnitGroup* group_;
  MemoryContext context_;
  MemoryContext table_memory_;  // emptied before each partition
  std::size_t limit_;           // of the table and its units' bytes
  std::size_t spill_limit_;
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
