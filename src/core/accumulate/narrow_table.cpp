#include "core/accumulate/narrow_table.h"

#include <bit>

namespace dp::aggregate {

static_assert(std::endian::native == std::endian::little, "the bytes of a word that are kept are its lower ones");

void NarrowTable::begin(void* memory, std::uint64_t slots, std::size_t place_bytes, std::uint64_t first_bits) {
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  used_ = 0;
  stride_ = kWordBytes + place_bytes;
  first_bits_ = first_bits << (64 - kTableBits);
}

void NarrowTable::move_to(void* memory, std::uint64_t slots) {
  const NarrowTable old = *this;
  const std::size_t place_bytes = stride_ - kWordBytes;
  memory_ = static_cast<char*>(memory);
  slots_ = slots;
  used_ = 0;
  old.visit([&](std::uint64_t word, const char* place) { std::memcpy(place_of(word), place, place_bytes); });
}

}  // namespace dp::aggregate
