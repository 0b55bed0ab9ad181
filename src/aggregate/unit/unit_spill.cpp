#include "aggregate/unit/unit_spill.h"

#include <algorithm>
#include <utility>

namespace dp::aggregate {
namespace {

constexpr std::size_t kChunk = BLCKSZ;  // with what stands before the records

[[noreturn]] void refuse_end() {
  elog(ERROR, "unexpected end of a temporary file of privacy units");
  pg_unreachable();
}

constexpr std::size_t in_words(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

// Each partition has a chunk in memory, and a block where it is written: together a quarter of the limit, but at least
// 4 partitions.
int UnitSpill::bits(std::size_t memory_limit) {
  int bits = 2;
  while (bits < 5 && ((kChunk + BLCKSZ) << (bits + 1)) <= memory_limit / 4) ++bits;
  return bits;
}

std::size_t UnitSpill::buffers(std::size_t memory_limit) { return (kChunk + BLCKSZ) << bits(memory_limit); }

UnitSpill::UnitSpill(MemoryContext context, std::size_t record_bytes, UnitTable::Units units, std::size_t memory_limit,
                     std::size_t memory, const UnitRecord* samples)
    : context_(context),
      record_bytes_(record_bytes),
      units_(units),
      samples_(samples),
      bits_(bits(memory_limit)),
      most_held_(memory + (kChunk << bits_)) {
  open_ = static_cast<Partition*>(MemoryContextAllocZero(context_, sizeof(Partition) << bits_));
  if (samples_ != nullptr) unpacked_ = static_cast<State*>(MemoryContextAllocZero(context_, record_bytes_));
}

void UnitSpill::keep_from_now(std::size_t memory) {
  most_held_ = memory + (kChunk << bits_);
  writes_ = tapes_ != nullptr;
}

// The hash table uses a word's high bits, partitions its low bits, so the units of one partition spread over the whole
// table. Once the bits are used up everything goes to one partition, which gets smaller by one table at each level.
UnitSpill::Partition& UnitSpill::partition_of(std::uint64_t word) {
  return open_[is_exhausted() ? 0 : word >> level_ * bits_ & ((1U << bits_) - 1)];
}

void UnitSpill::put(const Unit& unit, const State& record) {
  const bool is_long = units_ == UnitTable::Units::long_ones;
  const std::size_t states = samples_ != nullptr ? samples_->packed_bytes(record) : record_bytes_;
  const std::size_t bytes = states + (is_long ? sizeof unit.size + in_words(unit.size) : 0);
  Partition& partition = partition_of(unit.word);
  Chunk* chunk = partition.chunks;
  if (chunk == nullptr || chunk->room - chunk->used < bytes) chunk = make_room(&partition, bytes);
  char* const to = chunk->bytes() + chunk->used;
  if (samples_ != nullptr) {
    samples_->pack(to, record);
  } else {
    std::memcpy(to, &record, record_bytes_);
  }
  if (is_long) {
    std::memcpy(to + states, &unit.size, sizeof unit.size);
    if (unit.size > 0) std::memcpy(to + states + sizeof unit.size, unit.bytes, unit.size);
  }
  chunk->used += bytes;
}

UnitSpill::Chunk* UnitSpill::make_room(Partition* partition, std::size_t bytes) {
  const std::size_t room = std::max(bytes, kChunk - sizeof(Chunk));
  Chunk* const filled = partition->chunks;
  if (filled != nullptr && held_ + sizeof(Chunk) + room > most_held_) {
    if (!writes_) {
      full_ = true;  // and this chunk is more than there may be
    } else {
      write(partition);
      if (filled->room >= bytes) return filled;
      drop(partition);
    }
  }
  auto* const made = static_cast<Chunk*>(MemoryContextAllocHuge(context_, sizeof(Chunk) + room));
  *made = {partition->chunks, room, 0};
  held_ += sizeof(Chunk) + room;
  return partition->chunks = made;
}

// Writes the partition's first chunk, which is empty then.
void UnitSpill::write(Partition* partition) {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  if (tapes_ == nullptr) tapes_ = LogicalTapeSetCreate(true, nullptr, -1);
  if (partition->tape == nullptr) partition->tape = LogicalTapeCreate(tapes_);
  Chunk* const chunk = partition->chunks;
  LogicalTapeWrite(partition->tape, &chunk->used, sizeof chunk->used);
  LogicalTapeWrite(partition->tape, chunk->bytes(), chunk->used);
  chunk->used = 0;
  MemoryContextSwitchTo(outer);
}

// Frees the partition's first chunk.
void UnitSpill::drop(Partition* partition) {
  Chunk* const chunk = partition->chunks;
  partition->chunks = chunk->below;
  held_ -= sizeof(Chunk) + chunk->room;
  pfree(chunk);
}

void UnitSpill::take(int partition) {
  reading_ = std::exchange(open_[partition], {});
  chunk_ = nullptr;
}

bool UnitSpill::next() {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  if (reading_.tape != nullptr) LogicalTapeClose(reading_.tape);
  for (int i = 0; i < 1 << bits_; ++i) {
    Partition& partition = open_[i];
    if (partition.chunks == nullptr) continue;
    if (partition.tape != nullptr) {
      // Its buffer is not needed any longer.
      write(&partition);
      drop(&partition);
      LogicalTapeRewindForRead(partition.tape, BLCKSZ);
    }
    partition.level = level_ + 1;
    waiting_ = lappend(waiting_, new (palloc(sizeof(Partition))) Partition{std::exchange(partition, {})});
  }
  const bool is_there = waiting_ != NIL;
  if (is_there) {
    // The latest partitions first, so that at most one set of partitions waits for each level.
    auto* const partition = static_cast<Partition*>(llast(waiting_));
    waiting_ = list_delete_last(waiting_);
    reading_ = *partition;
    chunk_ = nullptr;
    level_ = partition->level;
    pfree(partition);
  } else if (tapes_ != nullptr) {
    LogicalTapeSetClose(tapes_);
  }
  MemoryContextSwitchTo(outer);
  return is_there;
}

void UnitSpill::read(void* into, std::size_t bytes) {
  if (LogicalTapeRead(reading_.tape, into, bytes) != bytes) refuse_end();
}

// The next chunk that is read: those in memory first.
bool UnitSpill::next_chunk() {
  CHECK_FOR_INTERRUPTS();
  if (chunk_ != nullptr && chunk_ == reading_.chunks) drop(&reading_);
  place_ = 0;
  chunk_ = reading_.chunks;
  if (chunk_ != nullptr) return true;
  if (reading_.tape == nullptr) return false;
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  std::uint64_t used = 0;
  const std::size_t found = LogicalTapeRead(reading_.tape, &used, sizeof used);
  if (found != 0) {
    if (found != sizeof used) refuse_end();
    if (buffer_ == nullptr || buffer_->room < used) {
      if (buffer_ != nullptr) pfree(buffer_);
      const std::size_t room = std::max<std::size_t>(used, kChunk - sizeof(Chunk));
      buffer_ = static_cast<Chunk*>(MemoryContextAllocHuge(context_, sizeof(Chunk) + room));
      buffer_->room = room;
    }
    read(buffer_->bytes(), used);
    buffer_->used = used;
    chunk_ = buffer_;
  }
  MemoryContextSwitchTo(outer);
  return found != 0;
}

State* UnitSpill::get(Unit* unit) {
  while (chunk_ == nullptr || place_ == chunk_->used) {
    if (!next_chunk()) return nullptr;
  }
  char* const from = chunk_->bytes() + place_;
  auto* record = reinterpret_cast<State*>(from);
  std::size_t bytes = record_bytes_;
  if (samples_ != nullptr) {
    bytes = samples_->unpack(unpacked_, *record);
    record = unpacked_;
  }
  *unit = {static_cast<std::uint64_t>(record->tag)};
  if (units_ == UnitTable::Units::long_ones) {
    std::memcpy(&unit->size, from + bytes, sizeof unit->size);
    unit->bytes = from + bytes + sizeof unit->size;
    bytes += sizeof unit->size + in_words(unit->size);
  }
  place_ += bytes;
  return record;
}

}  // namespace dp::aggregate
