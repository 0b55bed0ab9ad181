#include "core/accumulate/narrow_table.h"

namespace dp::aggregate {

void NarrowTable::begin(void* memory, std::uint64_t slots, std::size_t place_bytes) {
  words_ = static_cast<std::uint64_t*>(memory);
  places_ = reinterpret_cast<char*>(words_ + slots);
  slots_ = slots;
  used_ = 0;
  place_bytes_ = place_bytes;
}

void NarrowTable::move_to(void* memory, std::uint64_t slots) {
  const NarrowTable old = *this;
  begin(memory, slots, place_bytes_);
  old.visit([this](std::uint64_t word, const char* place) { std::memcpy(insert(word), place, place_bytes_); });
}

char* NarrowTable::insert(std::uint64_t word) {
  std::uint64_t slot = slot_of(word);
  while (words_[slot] != 0) slot = next(slot);
  ++used_;
  words_[slot] = word;
  return places_ + slot * place_bytes_;
}

}  // namespace dp::aggregate
