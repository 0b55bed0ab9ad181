// Records of privacy units in partitions, by unit: in memory as far as they may take some, else on disk.
//
// As PostgreSQL's HashAggregate spills (nodeAgg.c), on the same logical tapes. All records of a unit that are put at
// one level lie in one partition, which is read back once everything before it is done; what its reader cannot keep is
// put again, and partitioned by other bits of the units' words. Records lie in chunks one behind the other, so that a
// row costs no cache miss, in the bytes that their owner has packed them into.
#pragma once

#include "core/accumulate/unit_table.h"
#include "pg/server.h"

namespace dp::aggregate {

// A record in a partition, or copied from there with packed::kSlack bytes behind it.
struct UnitEntry {
  Unit unit;
  const char* packed;
  const char* begin;  // of everything: so many bytes
  std::size_t bytes;

  // Writes the packed record elsewhere; returns what is behind it.
  char* copy_packed(char* to) const {
    const auto size = static_cast<std::size_t>(begin + bytes - packed);
    std::memcpy(to, packed, size);
    return to + size;
  }
};

// Lives in a memory context, without a destructor: PostgreSQL's resource owner closes the files of a query that failed.
class UnitSpill {
 public:
  // For packed records of at most `most_packed` bytes, with the bytes of their units where these are long; keeps what it
  // needs in `context`, beyond its buffers not more than `memory` bytes.
  UnitSpill(MemoryContext context, UnitTable::Units units, std::size_t most_packed, std::size_t memory_limit,
            std::size_t memory);

  // The memory that partitions need while they are written, under that limit.
  static std::size_t buffers(std::size_t memory_limit);

  // Puts a record of some rows of the unit into the unit's partition: pack(to) writes it there and returns what is behind
  // it.
  template <class Pack>
  void put(const Unit& unit, Pack pack) {
    const std::size_t most = most_bytes(unit);
    Partition& partition = partition_of(unit.word);
    Chunk* chunk = partition.chunks;
    if (chunk == nullptr || chunk->room - chunk->used < most) chunk = make_room(&partition, most);
    char* const end = write(chunk->bytes() + chunk->used, unit, pack);
    chunk->used = static_cast<std::uint64_t>(end - chunk->bytes());
  }

  // The bytes that a record of that unit may take.
  std::size_t most_bytes(const Unit& unit) const { return head_bytes() + most_packed_ + unit.size; }

  // Writes a record elsewhere as it is in a partition: where there are most_bytes() and packed::kSlack. Returns what is
  // behind it.
  template <class Pack>
  char* write(char* begin, const Unit& unit, Pack pack) const {
    std::memcpy(begin, &unit.word, sizeof unit.word);
    char* to = begin + head_bytes();
    if (units_ == UnitTable::Units::long_ones) {
      const auto size = static_cast<UnitSize>(unit.size);
      std::memcpy(begin + sizeof unit.word + length_bytes_, &size, sizeof size);
      if (unit.size > 0) std::memcpy(to, unit.bytes, unit.size);
      to += unit.size;
    }
    char* const end = pack(to);
    const auto length = static_cast<std::uint32_t>(end - to);
    if (length_bytes_ == 1) {
      begin[sizeof unit.word] = static_cast<char>(length);
    } else {
      std::memcpy(begin + sizeof unit.word, &length, sizeof length);
    }
    return end;
  }

  // The record that begins there.
  UnitEntry entry_at(const char* begin) const {
    UnitEntry entry{};
    entry.begin = begin;
    std::memcpy(&entry.unit.word, begin, sizeof entry.unit.word);
    std::uint32_t length = 0;
    if (length_bytes_ == 1) {
      length = packed::first_byte(begin + sizeof entry.unit.word);
    } else {
      std::memcpy(&length, begin + sizeof entry.unit.word, sizeof length);
    }
    if (units_ == UnitTable::Units::long_ones) {
      UnitSize size;
      std::memcpy(&size, begin + sizeof entry.unit.word + length_bytes_, sizeof size);
      entry.unit.size = size;
      entry.unit.bytes = begin + head_bytes();
    }
    entry.packed = begin + head_bytes() + entry.unit.size;
    entry.bytes = head_bytes() + entry.unit.size + length;
    return entry;
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
    *entry = entry_at(chunk_->bytes() + place_);
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

  // A stack of chunks, of which the first one is being filled, and what was written before.
  struct Partition {
    Chunk* chunks;
    LogicalTape* tape;
    int level;
  };

  using UnitSize = std::uint32_t;  // no value of PostgreSQL is longer

  static int bits(std::size_t memory_limit);
  int partitions() const { return 1 << bits_; }

  // Begins to read that partition of the level that is written, of which nothing is on disk; put() puts records of its
  // units there again.
  void take(int partition);

  // What stands before the unit's bytes and the packed record: the unit's word, the length of the packed record, that of
  // the unit where it is long.
  std::size_t head_bytes() const {
    return sizeof(Unit::word) + length_bytes_ + (units_ == UnitTable::Units::long_ones ? sizeof(UnitSize) : 0);
  }

  // The hash table uses a word's high bits, partitions its low bits, so the units of one partition spread over the whole
  // table. Once the bits are used up everything goes to one partition, which gets smaller by one table at each level.
  Partition& partition_of(std::uint64_t word) {
    return open_[is_exhausted() ? 0 : word >> level_ * bits_ & ((1U << bits_) - 1)];
  }

  Chunk* make_room(Partition* partition, std::size_t bytes);
  void write(Partition* partition);
  void drop(Partition* partition);
  bool next_chunk();
  void read(void* into, std::size_t bytes);

  MemoryContext context_;
  UnitTable::Units units_;
  std::size_t most_packed_;
  std::size_t length_bytes_;
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
};

}  // namespace dp::aggregate
