#include "aggregate/unit/unit_spill.h"

#include <algorithm>
#include <utility>

namespace dp::aggregate {
namespace {

constexpr std::size_t kChunk = BLCKSZ;  // with what stands before the records, and the slack behind them

}  // namespace

// Each partition has a chunk in memory, and a block where it is written: together a quarter of the limit, but at least
// 4 partitions.
int UnitSpill::bits(std::size_t memory_limit) {
  int bits = 2;
  while (bits < 7 && ((kChunk + BLCKSZ) << (bits + 1)) <= memory_limit / 4) ++bits;
  return bits;
}

// PostgreSQL's least work_mem is what 4 partitions need.
std::size_t UnitSpill::half_beside(std::size_t memory_limit) {
  constexpr std::size_t kLeast = 16 * 1024;
  const std::size_t buffers = (kChunk + BLCKSZ) << bits(memory_limit);
  return std::max(memory_limit, buffers + 2 * kLeast) / 2 - buffers / 2;
}

UnitSpill::UnitSpill(MemoryContext context, UnitTable::Units units, std::size_t most_packed, std::size_t memory_limit,
                     std::size_t memory)
    : context_(context),
      format_(units, most_packed),
      bits_(bits(memory_limit)),
      most_held_(memory + (kChunk << bits_)) {
  open_ = static_cast<Partition*>(MemoryContextAllocZero(context_, sizeof(Partition) << bits_));
}

void UnitSpill::keep_from_now(std::size_t memory) {
  most_held_ = memory + (kChunk << bits_);
  writes_ = tapes_ != nullptr;
}

void UnitSpill::refuse_chunk() {
  elog(ERROR, "a temporary file of privacy units is not what was written");
  pg_unreachable();
}

Unit UnitSpill::example_of(Chunk* chunk, const char* end) const {
  UnitEntry entry{};
  if (format_.units() == UnitTable::Units::words) return entry.unit;
  if (!format_.read(chunk->bytes(), static_cast<std::size_t>(end - chunk->bytes()), &entry)) refuse_chunk();
  return entry.unit;
}

// The partition's first chunk is filled from its beginning on.
void UnitSpill::begin_chunk(Partition* partition) {
  partition->to = partition->chunks->bytes();
  partition->end = partition->to + partition->chunks->room;
  partition->example = {};
}

void UnitSpill::end_chunk(Partition* partition) {
  Chunk* const chunk = partition->chunks;
  if (chunk != nullptr) chunk->used = static_cast<std::uint64_t>(partition->to - chunk->bytes());
}

void UnitSpill::make_room(Partition* partition, std::size_t bytes) {
  const std::size_t room = std::max(bytes, kChunk - in_memory(0));
  Chunk* const filled = partition->chunks;
  end_chunk(partition);
  if (filled != nullptr && held_ + in_memory(room) > most_held_) {
    if (!writes_) {
      full_ = true;  // and this chunk is more than there may be
    } else {
      write(partition);
      if (filled->room >= bytes) return begin_chunk(partition);
      drop(partition);
    }
  }
  auto* const made = static_cast<Chunk*>(MemoryContextAllocHuge(context_, in_memory(room)));
  *made = {partition->chunks, room, 0};
  held_ += in_memory(room);
  partition->chunks = made;
  begin_chunk(partition);
}

// Writes the partition's first chunk, which has ended, and is empty then.
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
  held_ -= in_memory(chunk->room);
  pfree(chunk);
}

void UnitSpill::take(int partition) {
  end_chunk(&open_[partition]);
  reading_ = std::exchange(open_[partition], {});
  chunk_ = nullptr;
}

bool UnitSpill::next() {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  if (reading_.tape != nullptr) LogicalTapeClose(reading_.tape);
  for (int i = 0; i < 1 << bits_; ++i) {
    Partition& partition = open_[i];
    if (partition.chunks == nullptr) continue;
    end_chunk(&partition);
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
  if (LogicalTapeRead(reading_.tape, into, bytes) != bytes) refuse_chunk();
}

// The next chunk that is read: those in memory first.
bool UnitSpill::next_chunk() {
  CHECK_FOR_INTERRUPTS();
  if (chunk_ != nullptr && chunk_ == reading_.chunks) drop(&reading_);
  place_ = 0;
  chunk_ = reading_.chunks;
  if (chunk_ != nullptr) {
    if (chunk_->used > 0) example_.become(example_of(chunk_, chunk_->bytes() + chunk_->used));
    return true;
  }
  if (reading_.tape == nullptr) return false;
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  std::uint64_t used = 0;
  const std::size_t found = LogicalTapeRead(reading_.tape, &used, sizeof used);
  if (found != 0) {
    if (found != sizeof used) refuse_chunk();
    if (buffer_ == nullptr || buffer_->room < used) {
      if (buffer_ != nullptr) pfree(buffer_);
      const std::size_t room = std::max<std::size_t>(used, kChunk - in_memory(0));
      buffer_ = static_cast<Chunk*>(MemoryContextAllocHuge(context_, in_memory(room)));
      buffer_->room = room;
    }
    read(buffer_->bytes(), used);
    buffer_->used = used;
    if (used > 0) example_.become(example_of(buffer_, buffer_->bytes() + used));
    chunk_ = buffer_;
  }
  MemoryContextSwitchTo(outer);
  return found != 0;
}

}  // namespace dp::aggregate
