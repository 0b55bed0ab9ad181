#include "aggregate/unit/unit_pages.h"

#include <algorithm>
#include <cstring>

namespace dp::aggregate {
namespace {

// A page is a thousandth of the memory, within these bytes, or half of that. PostgreSQL's allocator rounds what is
// smaller than half of the smallest to a power of 2.
constexpr std::size_t kSmallest = 16 * 1024;
constexpr std::size_t kLargest = 64 * 1024;

// With so many, of 64 gigabytes, the slots take 32 megabytes, which are filled with zeros at each start.
constexpr std::size_t kMostPages = std::size_t{1} << 20;

}  // namespace

UnitPages::UnitPages(MemoryContext above, std::size_t place_bytes, std::size_t memory)
    : context_(AllocSetContextCreate(above, "pages of privacy units", ALLOCSET_DEFAULT_SIZES)),
      place_bytes_(place_bytes),
      page_bits_(0) {
  const std::size_t page = std::clamp(memory / 1024, kSmallest, kLargest);
  while (place_bytes_ << (page_bits_ + 1) <= page) ++page_bits_;
  // What PostgreSQL's allocator adds to a page, and the two slots for it.
  pages_left_ = std::min(memory / ((place_bytes_ << page_bits_) + 64 + 2 * sizeof(Page)), kMostPages);
  trial_ = pages_left_ - pages_left_ / 8;
  slots_ = 2;
  slot_shift_ = 63;
  for (; slots_ < 2 * pages_left_; slots_ *= 2) --slot_shift_;
  pages_ = static_cast<Page*>(MemoryContextAllocZero(context_, slots_ * sizeof(Page)));
}

// The page of that number, or the slot where it would be. There are fewer pages than slots, so a free one is found.
UnitPages::Page& UnitPages::find(std::uint64_t number) {
  std::uint64_t slot = slot_of(number);
  while (pages_[slot].places != nullptr && pages_[slot].number != number) slot = (slot + 1) & (slots_ - 1);
  return pages_[slot];
}

bool UnitPages::make(Page* free, std::uint64_t number) {
  if (pages_left_ == 0) return false;
  --pages_left_;
  *free = {number, static_cast<char*>(MemoryContextAllocZero(context_, page_bytes()))};
  return true;
}

// Of units in any order on as many pages as there may be, one row in 16 has found its page when an eighth of these is
// made. Where hardly any has, units are on many more pages, which would be made and filled with zeros for nothing. A
// few pages show nothing, and cost nothing.
char* UnitPages::place_of(std::uint64_t unit, std::uint64_t rows) {
  constexpr std::uint64_t kFew = 256;
  const std::uint64_t number = unit >> page_bits_;
  Page& page = find(number);
  if (page.places == nullptr && pages_left_ == trial_) {
    const std::uint64_t made = trial_ / 7;
    if (made >= kFew && rows < made + made / 32) pages_left_ = 0;
  }
  return page.places != nullptr || make(&page, number) ? place(page, unit) : nullptr;
}

bool UnitPages::take_page(std::uint64_t number, const char* places) {
  Page& page = find(number);
  if (page.places != nullptr || !make(&page, number)) return false;
  std::memcpy(page.places, places, page_bytes());
  return true;
}

}  // namespace dp::aggregate
