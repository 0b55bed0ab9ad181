#include "core/accumulate/unit_key.h"

#include <algorithm>
#include <type_traits>

namespace dp::aggregate {

static_assert(std::is_trivially_copyable_v<UnitKey>);

void UnitKey::draw(noise::BitSource& bits) {
  for (Number& number : numbers_) number = {bits.bits(64), bits.bits(64)};
  for (Number& number : last_) number = {bits.bits(64), bits.bits(64)};
  point_ = bits.bits(64);
}

// The words of the blocks are coefficients of a polynomial modulo 2^127 - 1. Two units of one size differ in a block,
// so with 2^-64 of chance in no word; two polynomials of b coefficients are equal at b - 1 points at most; and the
// last step is that of a block, in which the size stands.
std::uint64_t UnitKey::word_of_blocks(const char* bytes, std::size_t size) const {
  constexpr Uint128 kPrime = (Uint128{1} << 127) - 1;
  constexpr std::uint64_t kLow = (std::uint64_t{1} << 63) - 1;
  Uint128 value = 0;
  for (std::size_t done = 0; done < size; done += kBlock) {
    const std::size_t rest = std::min(size - done, kBlock);
    const Uint128 low = static_cast<Uint128>(static_cast<std::uint64_t>(value)) * point_;
    const Uint128 high = (value >> 64) * point_ + (low >> 64);  // of the product, above its last 64 bits
    value = (static_cast<Uint128>(static_cast<std::uint64_t>(high) & kLow) << 64 | static_cast<std::uint64_t>(low)) +
            (high >> 63) + word_of_block(rest, bytes + done, rest);
    if (value >= kPrime) value -= kPrime;
  }
  const Uint128 sum = last_[0].times(1) + last_[1].times(size) + last_[2].times(static_cast<std::uint64_t>(value)) +
                      last_[3].times(static_cast<std::uint64_t>(value >> 64));
  return static_cast<std::uint64_t>(sum >> 64);
}

}  // namespace dp::aggregate
