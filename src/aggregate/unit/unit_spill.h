// Records of privacy units in partitions, by unit: in memory as far as they may take some, else on disk.
//
// As PostgreSQL's HashAggregate spills (nodeAgg.c), on the same logical tapes. All records of a unit that are put at
// one level lie in one partition, which is read back once everything before it is done; what its reader cannot keep is
// put again, and partitioned by other bits of the units' words. Records lie in chunks one behind the other, so that a
// row costs no cache miss.
#pragma once

#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor: PostgreSQL's resource owner closes the files of a query that failed.
class UnitSpill {
 public:
  // For records of that many bytes, with the bytes of their units where these are long; keeps what it needs in
  // `context`, beyond its buffers not more than `memory` bytes. `samples`: what the records are, where they have
  // samples, of which only the rows that there are are kept; else nullptr.
  UnitSpill(MemoryContext context, std::size_t record_bytes, UnitTable::Units units, std::size_t memory_limit,
            std::size_t memory, const UnitRecord* samples);

  // The memory that partitions need while they are written, under that limit.
  static std::size_t buffers(std::size_t memory_limit);

  // Puts a record of some rows of the unit, in whose first tag's place the unit's word stands, into the unit's
  // partition.
  void put(const Unit& unit, const State& record);

  // Whether its memory is full. Then partitions may be read with take() and put back as fewer records, before anything
  // else is put; or what is put from now on is written to disk.
  bool is_full() const { return full_; }
  int partitions() const { return 1 << bits_; }
  void write_from_now() {
    writes_ = true;
    full_ = false;
  }

  // From now on keeps not more than that in memory, beyond its buffers. What is put is written to disk only if something
  // was already, until write_from_now().
  void keep_from_now(std::size_t memory);

  // Whether there is no record at all.
  bool is_empty() const { return held_ == 0; }

  // The bytes of records that are in memory, and of the room for them.
  std::size_t held() const { return held_; }

  // Begins to read that partition of the level that is written, of which nothing is on disk; put() puts records of its
  // units there again.
  void take(int partition);

  // After the last one.
  void done_taking() { full_ = false; }

  // Whether what is put now goes to one partition, whatever its unit: units cannot be told apart any further.
  bool is_exhausted() const { return level_ * bits_ >= 64; }

  // Ends the partition that is read and begins to read another one; false, and all is closed, where none is left.
  bool next();

  // The partition's next record, which lives with the unit's bytes until the next call; nullptr at its end.
  State* get(Unit* unit);

 private:
  struct Chunk {
    Chunk* below;
    std::uint64_t room;
    std::uint64_t used;
    char* bytes() { return reinterpret_cast<char*>(this + 1); }
  };
  // A stack of chunks, of which the first one is being filled, and what was written before.
  struct Partition {
    Chunk* chunks;
    LogicalTape* tape;
    int level;
  };

  static int bits(std::size_t memory_limit);
  Partition& partition_of(std::uint64_t word);
  Chunk* make_room(Partition* partition, std::size_t bytes);
  void write(Partition* partition);
  void drop(Partition* partition);
  bool next_chunk();
  void read(void* into, std::size_t bytes);

  MemoryContext context_;
  std::size_t record_bytes_;
  UnitTable::Units units_;
  const UnitRecord* samples_;
  int bits_;
  std::size_t most_held_;
  std::size_t held_ = 0;
  bool full_ = false;
  bool writes_ = false;
  LogicalTapeSet* tapes_ = nullptr;
  Partition* open_;  // the partitions of this level that are filled
  int level_ = 0;
  Partition reading_{};
  List* waiting_ = NIL;      // Partition*
  Chunk* chunk_ = nullptr;   // that is read: the first of reading_, or what was read from its tape
  std::uint64_t place_ = 0;  // in it
  Chunk* buffer_ = nullptr;
  State* unpacked_ = nullptr;  // the record that was read, where records have samples
};

}  // namespace dp::aggregate
