#include "aggregate/unit/unit_spill.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

[[noreturn]] void refuse_end() {
  elog(ERROR, "unexpected end of a temporary file of privacy units");
  pg_unreachable();
}

}  // namespace

// Each partition being written has a block in memory: together a quarter of the limit, but at least 4 partitions.
int UnitSpill::bits(std::size_t memory_limit) {
  int bits = 2;
  while (bits < 5 && (std::size_t{BLCKSZ} << (bits + 1)) <= memory_limit / 4) ++bits;
  return bits;
}

std::size_t UnitSpill::buffers(std::size_t memory_limit) { return std::size_t{BLCKSZ} << bits(memory_limit); }

UnitSpill::UnitSpill(MemoryContext context, std::size_t record_bytes, UnitTable::Units units, std::size_t memory_limit)
    : context_(context), record_bytes_(record_bytes), units_(units), bits_(bits(memory_limit)) {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  tapes_ = LogicalTapeSetCreate(true, nullptr, -1);
  open_ = static_cast<LogicalTape**>(palloc0(sizeof(LogicalTape*) << bits_));
  MemoryContextSwitchTo(outer);
}

// The hash table uses a word's high bits, partitions its low bits, so the units of one partition spread over the whole
// table. Once the bits are used up everything goes to one partition, which gets smaller by one table at each level.
LogicalTape*& UnitSpill::partition_of(std::uint64_t word) {
  return open_[is_exhausted() ? 0 : word >> level_ * bits_ & ((1U << bits_) - 1)];
}

void UnitSpill::put(const Unit& unit, const State& record) {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  LogicalTape*& tape = partition_of(unit.word);
  if (tape == nullptr) tape = LogicalTapeCreate(tapes_);
  LogicalTapeWrite(tape, const_cast<State*>(&record), record_bytes_);
  if (units_ == UnitTable::Units::long_ones) {
    std::uint64_t size = unit.size;
    LogicalTapeWrite(tape, &size, sizeof size);
    LogicalTapeWrite(tape, const_cast<char*>(unit.bytes), size);
  }
  MemoryContextSwitchTo(outer);
}

bool UnitSpill::next() {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  if (reading_ != nullptr) LogicalTapeClose(reading_);
  for (int i = 0; i < 1 << bits_; ++i) {
    if (open_[i] == nullptr) continue;
    LogicalTapeRewindForRead(open_[i], BLCKSZ);
    waiting_ = lappend(waiting_, new (palloc(sizeof(Partition))) Partition{open_[i], level_ + 1});
    open_[i] = nullptr;
  }
  const bool is_there = waiting_ != NIL;
  if (is_there) {
    // The latest partitions first, so that at most one set of partitions waits for each level.
    auto* const partition = static_cast<Partition*>(llast(waiting_));
    waiting_ = list_delete_last(waiting_);
    reading_ = partition->tape;
    level_ = partition->level;
    pfree(partition);
  } else {
    LogicalTapeSetClose(tapes_);
  }
  MemoryContextSwitchTo(outer);
  return is_there;
}

void UnitSpill::read(void* into, std::size_t bytes) {
  if (LogicalTapeRead(reading_, into, bytes) != bytes) refuse_end();
}

bool UnitSpill::get(Unit* unit, State* record) {
  MemoryContext const outer = MemoryContextSwitchTo(context_);
  const std::size_t found = LogicalTapeRead(reading_, record, record_bytes_);
  if (found != 0) {
    if (found != record_bytes_) refuse_end();
    *unit = {static_cast<std::uint64_t>(record->tag)};
    if (units_ == UnitTable::Units::long_ones) {
      read(&unit->size, sizeof unit->size);
      if (unit->size > room_) {
        if (bytes_ != nullptr) pfree(bytes_);
        room_ = std::max<std::size_t>(unit->size, 128);
        bytes_ = static_cast<char*>(MemoryContextAllocHuge(context_, room_));
      }
      read(bytes_, unit->size);
      unit->bytes = bytes_;
    }
  }
  MemoryContextSwitchTo(outer);
  return found != 0;
}

}  // namespace dp::aggregate
