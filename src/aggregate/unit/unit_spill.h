// Records of privacy units in partitions, by unit: in memory as far as they may take some, else on disk.
//
// As PostgreSQL's HashAggregate spills (nodeAgg.c), on the same logical tapes. All records of a unit that are put at
// one level lie in one partition, which is read back once everything before it is done; what its reader cannot keep is
// put again, and partitioned by other bits of the units' words. Records lie in chunks one behind the other, so that a
// row costs no cache miss, in the bytes that their owner has packed them into.
#pragma once

#include "core/accumulate/unit_format.h"
#include "pg/server.h"

namespace dp::aggregate {

// Lives in a memory context, without a destructor: PostgreSQL's resource owner closes the files of a query that failed.
class UnitSpill {
 public:
  // For packed records of at most `most_packed` bytes, with the bytes of their units where these are long; keeps what it
  // needs in `context`, beyond its buffers not more than `memory` bytes.
  UnitSpill(MemoryContext context, UnitTable::Units units, std::size_t most_packed, std::size_t memory_limit,
            std::size_t memory);

  // Half of the memory that is left under that limit by partitions while they are written; a little, where they need all.
  static std::size_t half_beside(std::size_t memory_limit);

  // How records are written. There is no example but in partitions.
  const UnitFormat& format() const { return format_; }

  // Puts a record of some rows of the unit into the unit's partition: pack(to) writes it there and returns what is behind
  // it.
  template <class Pack>
  void put(const Unit& unit, Pack pack) {
    const std::size_t most = format_.most_bytes(unit);
    Partition& partition = partition_of(unit.word);
    if (static_cast<std::size_t>(partition.end - partition.to) < most) make_room(&partition, most);
    char* const begin = partition.to;
    partition.to = format_.write(begin, unit, partition.example, pack);
    if (begin == partition.chunks->bytes()) partition.example = example_of(partition.chunks, partition.to);
  }

  // Whether its memory is full. Then condense() may put fewer records back, before anything else is put; or what is put
  // from now on is written to disk.
  bool is_full() const { return full_; }
  void write_from_now() {
    writes_ = true;
    full_ = false;
  }

  // From now on keeps not more than that in memory, beyond its buffers. What is put is written to disk only if something
  // was already, until write_from_now().
  void keep_from_now(std::size_t memory);

  // How many partitions there are on each level, and to which of the first level that unit belongs. They are read from
  // the last one on, each with what of it was put into others.
  int partitions() const { return 1 << bits_; }
  int number_of(const Unit& unit) const { return static_cast<int>(unit.word & ((1U << bits_) - 1)); }

  // Whether there is no record at all.
  bool is_empty() const { return held_ == 0; }

  // Calls add_up() for each partition of the level that is written, of which nothing is on disk: it gets all its records
  // and puts fewer. Where not even half of the bytes are gone then, records are written to disk from now on.
  template <class AddUp>
  void condense(AddUp add_up) {
    const std::size_t before = held_;
    for (int i = 0; i < partitions(); ++i) {
      CHECK_FOR_INTERRUPTS();
      take(i);
      add_up();
    }
    full_ = false;
    if (held_ > before / 2) write_from_now();
  }

  // Whether what is put now goes to one partition, whatever its unit: units cannot be told apart any further.
  bool is_exhausted() const { return level_ * bits_ >= 64; }

  // Ends the partition that is read and begins to read another one; false, and all is closed, where none is left.
  bool next();

  // The partition's next record, which lives with the unit's bytes until the next call; false at its end.
  bool get(UnitEntry* entry) {
    while (chunk_ == nullptr || place_ == chunk_->used) {
      if (!next_chunk()) return false;
    }
    if (!format_.read(chunk_->bytes() + place_, chunk_->used - place_, &example_, entry)) refuse_chunk();
    format_.find_word(&entry->unit);
    place_ += entry->bytes;
    return true;
  }

 private:
  struct Chunk {
    Chunk* below;
    std::uint64_t room;
    std::uint64_t used;
    char* bytes() { return reinterpret_cast<char*>(this + 1); }
  };
  // The bytes of a chunk of that room, which has some slack behind it.
  static std::size_t in_memory(std::size_t room) { return sizeof(Chunk) + room + packed::kSlack; }

  // A stack of chunks, of which the first one is being filled up to `to`, and what was written before.
  struct Partition {
    char* to;
    char* end;
    Unit example;  // the unit of this chunk's first record, which has none
    Chunk* chunks;
    LogicalTape* tape;
    int level;
  };

  static int bits(std::size_t memory_limit);

  // Begins to read that partition of the level that is written, of which nothing is on disk; put() puts records of its
  // units there again.
  void take(int partition);

  // The hash table uses a word's high bits, partitions its low bits, so the units of one partition spread over the whole
  // table. Once the bits are used up everything goes to one partition, which gets smaller by one table at each level.
  Partition& partition_of(std::uint64_t word) {
    return open_[is_exhausted() ? 0 : word >> level_ * bits_ & ((1U << bits_) - 1)];
  }

  // The unit of the first of the records that end there; of units of a word none.
  Unit example_of(Chunk* chunk, const char* end) const;

  void make_room(Partition* partition, std::size_t bytes);
  void begin_chunk(Partition* partition);
  void end_chunk(Partition* partition);
  void write(Partition* partition);
  void drop(Partition* partition);
  bool next_chunk();
  void read(void* into, std::size_t bytes);
  [[noreturn]] static void refuse_chunk();

  MemoryContext context_;
  UnitFormat format_;
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
  UnitExample example_;      // of its records
  Chunk* buffer_ = nullptr;
};

}  // namespace dp::aggregate
