// Records of privacy units that do not fit into memory: in partitions on disk, by unit.
//
// As PostgreSQL's HashAggregate spills (nodeAgg.c), on the same logical tapes. All records of a unit that do not fit
// lie in one partition, which is read back once everything before it is done; what does not fit then is partitioned
// again, by other bits of the units' words.
#pragma once

#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor: PostgreSQL's resource owner closes the files of a query that failed.
class UnitSpill {
 public:
  // For records of that many bytes, with the bytes of their units where these are long; keeps what it needs in
  // `context`.
  UnitSpill(MemoryContext context, std::size_t record_bytes, UnitTable::Units units, std::size_t memory_limit);

  // The memory that partitions need while they are written, under that limit.
  static std::size_t buffers(std::size_t memory_limit);

  // Puts a record of some rows of the unit, in whose first tag's place the unit's word stands, into the unit's
  // partition.
  void put(const Unit& unit, const State& record);

  // Whether what is put now goes to one partition, whatever its unit: units cannot be told apart any further.
  bool is_exhausted() const { return level_ * bits_ >= 64; }

  // Ends the partition that is read and begins to read another one; false, and all is closed, where none is left.
  bool next();

  // Reads the partition's next record. The unit's bytes live until the next call. False at its end.
  bool get(Unit* unit, State* record);

 private:
  struct Partition {
    LogicalTape* tape;
    int level;
  };

  static int bits(std::size_t memory_limit);
  LogicalTape*& partition_of(std::uint64_t word);
  void read(void* into, std::size_t bytes);

  MemoryContext context_;
  std::size_t record_bytes_;
  UnitTable::Units units_;
  int bits_;
  LogicalTapeSet* tapes_;
  LogicalTape** open_;  // the partitions of this level that are written
  int level_ = 0;
  LogicalTape* reading_ = nullptr;
  List* waiting_ = NIL;    // Partition
  char* bytes_ = nullptr;  // of the unit that was read
  std::size_t room_ = 0;
};

}  // namespace dp::aggregate
