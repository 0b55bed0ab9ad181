#include "core/noise/primitives.h"

#include <bit>

namespace dp::noise {
namespace {

unsigned bit_width(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(low);
}

Uint128 wide_bits(BitSource& bits, unsigned count) {
  if (count <= 64) return bits.bits(count);
  const Uint128 low = bits.bits(64);
  return static_cast<Uint128>(bits.bits(count - 64)) << 64 | low;
}

}  // namespace

Uint128 below(BitSource& bits, Uint128 m) {
  if (m == 0) throw std::invalid_argument("below(0) has no outcome");
  if (m == 1) return 0;
  const unsigned count = bit_width(m - 1);
  for (;;) {
    const Uint128 drawn = wide_bits(bits, count);
    if (drawn < m) return drawn;
  }
}

}  // namespace dp::noise
