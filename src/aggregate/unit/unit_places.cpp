#include "aggregate/unit/unit_places.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace dp::aggregate {
namespace {

// Fewer slots of a section are not worth to begin with.
constexpr std::uint64_t kFew = 256;

constexpr std::size_t kLargePage = 2 * 1024 * 1024;

// The first bytes there that may begin a large page. Whether there are such pages, and whether they are of that size,
// makes a difference of time alone.
char* in_large_pages(char* memory, std::size_t bytes) {
  char* const begin = memory + (-reinterpret_cast<std::uintptr_t>(memory) & (kLargePage - 1));
#ifdef MADV_HUGEPAGE
  madvise(begin, bytes & ~(kLargePage - 1), MADV_HUGEPAGE);
#endif
  return begin;
}

}  // namespace

bool UnitPlaces::fit(std::size_t place_bytes, std::size_t memory) {
  return NarrowTable::bytes(kFew, place_bytes) <= memory;
}

UnitPlaces::UnitPlaces(MemoryContext above, std::size_t place_bytes, std::size_t memory)
    : context_(AllocSetContextCreate(above, "places of privacy units", ALLOCSET_SMALL_SIZES)),
      place_bytes_(place_bytes),
      memory_(memory),
      reserved_(NarrowTable::bytes(NarrowTable::kLeast, place_bytes)),
      allocated_(MemoryContextAlloc(context_, reserved_)) {
  table_.begin(allocated_, NarrowTable::kLeast, place_bytes);
}

// Of a unit that is new, in a section that has no room.
char* UnitPlaces::make(std::uint64_t word) { return grow(2 * table_.slots()) ? table_.place_of(word) : nullptr; }

// To so many slots of a section, or to all for which there is memory, if that is more than there are.
bool UnitPlaces::grow(std::uint64_t slots) {
  const std::uint64_t most = NarrowTable::most_slots(memory_, place_bytes_);
  slots = std::min(slots, most);
  if (slots <= table_.slots()) return false;
  void* const section = MemoryContextAllocHuge(context_, table_.section_bytes());
  const std::size_t bytes = NarrowTable::bytes(slots, place_bytes_);
  if (bytes <= reserved_) {
    table_.move_to(table_.memory(), slots, section);
  } else {
    reserved_ = bytes <= memory_ / 4 ? bytes : NarrowTable::bytes(most, place_bytes_);
    const std::size_t beside = reserved_ < kLargePage ? 0 : kLargePage;
    auto* memory = static_cast<char*>(MemoryContextAllocHuge(context_, reserved_ + beside));
    void* const old = std::exchange(allocated_, memory);
    if (beside > 0) memory = in_large_pages(memory, reserved_);
    table_.move_to(memory, slots, section);
    pfree(old);
  }
  pfree(section);
  return true;
}

}  // namespace dp::aggregate
