#include "core/accumulate/taken_values.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

constexpr std::uint64_t kLeastSlots = 1024;

// The slot of a hash, or the empty one that it would have.
std::uint64_t* slot_of(std::uint64_t hash, std::uint64_t* slots, std::uint64_t count) {
  std::uint64_t place = hash & (count - 1);
  while (slots[place] != 0 && slots[place] != hash) place = (place + 1) & (count - 1);
  return &slots[place];
}

// Whether the bit was not set; it is now.
bool set_bit(std::uint64_t number, std::uint64_t* words) {
  std::uint64_t& word = words[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  const bool is_new = (word & bit) == 0;
  word |= bit;
  return is_new;
}

}  // namespace

std::size_t TakenValues::bytes_needed() const {
  if (bits_ || (kept_ < most_kept_ && !is_full())) return 0;
  const std::uint64_t words = kept_ < most_kept_ ? std::max(2 * slots_, kLeastSlots)
                                                 : std::max(std::uint64_t{1} << first_bits_, std::uint64_t{64}) / 64;
  return words * sizeof(std::uint64_t);
}

void* TakenValues::move_to(void* memory) {
  auto* const to = static_cast<std::uint64_t*>(memory);
  bits_ = kept_ >= most_kept_;
  const std::uint64_t slots = bits_ ? 0 : std::max(2 * slots_, kLeastSlots);
  for (std::uint64_t i = 0; i < slots_; ++i) {
    const std::uint64_t hash = memory_[i];
    if (hash == 0) continue;
    if (bits_) {
      set_bit(hash >> (64 - first_bits_), to);
    } else {
      *slot_of(hash, to, slots) = hash;
    }
  }
  void* const old = memory_;
  memory_ = to;
  slots_ = slots;
  return old;
}

bool TakenValues::is_new(std::uint64_t hash) {
  if (bits_) return set_bit(hash >> (64 - first_bits_), memory_);
  if (hash == 0) hash = 1;
  std::uint64_t* const slot = slot_of(hash, memory_, slots_);
  if (*slot == hash) return false;
  *slot = hash;
  ++kept_;
  return true;
}

bool TakenValues::take(std::uint64_t hash) {
  if (left_ <= 0 || !is_new(hash)) return false;
  --left_;
  return true;
}

}  // namespace dp::aggregate
