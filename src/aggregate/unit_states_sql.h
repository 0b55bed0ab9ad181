// The states of all privacy units of one aggregate: in memory as far as PostgreSQL's limit for hash tables reaches, else on disk.
//
// Each row first becomes a state of its own; states are added up by unit. They are integers, so the sum depends neither on the order of
// rows nor on what was spilled.
#pragma once

#include "aggregate/unit_spill_sql.h"
#include "aggregate/unit_table.h"

#include "pg/server.h"

namespace dp::aggregate {

// Whether units of that type are equal where their stored bytes are, so that no code of the type is needed to tell them apart.
bool are_told_by_bytes(Oid type, Oid collation);

// Lives in a memory context of its own, without a destructor.
class UnitStates {
 public:
  // For states of that kind, and units of that type; in a context below `above`.
  static UnitStates* make(MemoryContext above, Tag tag, Oid type);

  // Where the next row is to be added: a state of no rows.
  State* row() { return row_at(waiting_); }

  // The row has been added there; it is one of that unit.
  void add_row(Datum unit) {
    if (table_.units() == UnitTable::Units::words) {
      const std::uint64_t word = word_of(plain(unit));
      row()->tag = static_cast<Tag>(word);
      table_.prefetch(word);
      if (++waiting_ == kBatch) flush();
    } else {
      add_long(unit);
    }
  }

  // Brings each unit's state into what `rows` rows can have (limit_unit) and adds it to `total`. Ends the life of this object.
  void finish(std::uint32_t rows, const RowSteps& row, State* total);

 private:
  // So many rows wait while the table's slots for them come from memory.
  static constexpr int kBatch = 64;

  UnitStates(MemoryContext context, Tag tag, Oid type);

  State* row_at(int number) { return reinterpret_cast<State*>(batch_ + static_cast<std::size_t>(number) * table_.state_bytes()); }

  // The bits of a value that fits into a Datum; above them a Datum may hold anything.
  std::uint64_t plain(Datum value) const { return length_ == 8 ? value : value & ((std::uint64_t{1} << 8 * length_) - 1); }

  void begin();
  void flush();
  void add_long(Datum unit);
  void add(const Unit& unit, const State& state);
  void add_new(const Unit& unit, const State& state);
  bool make_room(const Unit& unit);
  bool grow();
  const char* keep(const Unit& unit);

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
  alignas(8) char batch_[kBatch * sizeof(AnyState)];
};

}  // namespace dp::aggregate
