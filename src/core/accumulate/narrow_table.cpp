#include "core/accumulate/narrow_table.h"

#include <bit>

namespace dp::aggregate {

static_assert(std::endian::native == std::endian::little, "the bytes of a word that are kept are its lower ones");

void NarrowTable::begin(void* memory, std::uint64_t slots, std::size_t place_bytes) {
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  stride_ = kWordBytes + place_bytes;
  std::memset(memory_, 0, bytes(slots, place_bytes));
  std::memset(used_, 0, sizeof used_);
}

// From the last section on, as each comes to lie where it lay, or behind that.
void NarrowTable::move_to(void* memory, std::uint64_t slots, void* section) {
  const NarrowTable old = *this;
  auto* const copy = static_cast<char*>(section);
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  for (std::uint64_t number = kSections; number-- > 0;) {
    std::memcpy(copy, old.section(number), old.section_bytes());
    std::memset(this->section(number), 0, section_bytes());
    used_[number] = 0;
    for (const char* slot = copy; slot < copy + old.section_bytes(); slot += stride_) {
      const std::uint64_t rest = rest_at(slot);
      if (rest == 0) continue;
      std::memcpy(place_of(number << (64 - kSectionBits) | rest), slot + kWordBytes, stride_ - kWordBytes);
    }
  }
  std::memmove(memory_, old.memory_, kSections * stride_);
}

}  // namespace dp::aggregate
