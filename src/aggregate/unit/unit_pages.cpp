#include "aggregate/unit/unit_pages.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

// A page is a thousandth of the memory, within these bytes, or half of that. PostgreSQL's allocator rounds what is
// smaller than half of the smallest to a power of 2.
constexpr std::size_t kSmallest = 16 * 1024;
constexpr std::size_t kLargest = 64 * 1024;

}  // namespace

UnitPages::UnitPages(MemoryContext above, std::size_t place_bytes, std::size_t memory)
    : context_(AllocSetContextCreate(above, "pages of privacy units", ALLOCSET_DEFAULT_SIZES)),
      place_bytes_(place_bytes),
      page_bits_(0) {
  const std::size_t page = std::clamp(memory / 1024, kSmallest, kLargest);
  while (place_bytes_ << (page_bits_ + 1) <= page) ++page_bits_;
  // What PostgreSQL's allocator adds to a page, and the two slots for it.
  pages_left_ = memory / ((place_bytes_ << page_bits_) + 64 + 2 * sizeof(Page));
  slots_ = 2;
  slot_shift_ = 63;
  for (; slots_ < 2 * pages_left_; slots_ *= 2) --slot_shift_;
  pages_ = static_cast<Page*>(MemoryContextAllocZero(context_, slots_ * sizeof(Page)));
}

// There are fewer pages than slots, so a free one is found.
char* UnitPages::place_in_another(std::uint64_t unit) {
  const std::uint64_t number = unit >> page_bits_;
  std::uint64_t slot = slot_of(number);
  for (; pages_[slot].places != nullptr; slot = (slot + 1) & (slots_ - 1)) {
    if (pages_[slot].number == number) return place(pages_[slot], unit);
  }
  if (pages_left_ == 0) return nullptr;
  --pages_left_;
  pages_[slot] = {number, static_cast<char*>(MemoryContextAllocZero(context_, place_bytes_ << page_bits_))};
  return place(pages_[slot], unit);
}

}  // namespace dp::aggregate
