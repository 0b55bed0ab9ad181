#include "aggregate/unit/unit_places.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

// The slots of a table once it has grown: PostgreSQL's allocator gives it memory of its own then, which is free again
// when the table grows.
constexpr std::uint64_t kGrown = 256;

}  // namespace

bool UnitPlaces::fit(std::size_t place_bytes, std::size_t memory) {
  return kTables * NarrowTable::bytes(kGrown, place_bytes) <= memory;
}

UnitPlaces::UnitPlaces(MemoryContext above, std::size_t place_bytes, std::size_t memory)
    : context_(AllocSetContextCreate(above, "places of privacy units", ALLOCSET_SMALL_SIZES)),
      place_bytes_(place_bytes),
      memory_(memory) {
  const std::size_t bytes = NarrowTable::bytes(NarrowTable::kLeast, place_bytes);
  first_ = static_cast<char*>(MemoryContextAllocZero(context_, kTables * bytes));
  for (int i = 0; i < kTables; ++i)
    tables_[i].begin(first_ + static_cast<std::size_t>(i) * bytes, NarrowTable::kLeast, place_bytes,
                     static_cast<std::uint64_t>(i));
}

// Of a unit that is new, in a table that has no room.
char* UnitPlaces::make(std::uint64_t word) {
  NarrowTable& table = table_of(word);
  const std::size_t taken = MemoryContextMemAllocated(context_, false);
  const std::size_t quarter = memory_ / 4;
  const std::uint64_t more = table.slots() / (taken < quarter ? 1 : taken < 3 * quarter ? 4 : 8);
  const std::uint64_t slots = std::max(kGrown, table.slots() + more);
  const std::size_t bytes = NarrowTable::bytes(slots, place_bytes_);
  if (taken + bytes > memory_) return nullptr;
  void* const old = table.slots() < kGrown ? nullptr : table.memory();
  table.move_to(MemoryContextAllocExtended(context_, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO), slots);
  if (old != nullptr) pfree(old);
  return table.place_of(word);
}

}  // namespace dp::aggregate
