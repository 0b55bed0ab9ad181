#include "core/accumulate/limit_scale.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dp::aggregate {
namespace {

unsigned bits_of(Uint128 number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  return high != 0 ? 128u - static_cast<unsigned>(std::countl_zero(high))
                   : 64u - static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(number)));
}

// Of the most steps that a row can add to either side; at least 1.
unsigned bits_of_row(const RowSteps& row) {
  const auto magnitude = [](std::int64_t steps) {
    return steps < 0 ? -static_cast<std::uint64_t>(steps) : static_cast<std::uint64_t>(steps);
  };
  return std::max(bits_of(std::max(magnitude(row.low), magnitude(row.high))), 1u);
}

// How many limits there are, where a row adds up to 2^bits of the smallest.
int limits_above(unsigned bits) { return 2 * (static_cast<int>(bits) + 17); }

}  // namespace

LimitScale LimitScale::of_totals(const RowSteps& row, bool rounded) {
  const unsigned below = rounded ? 10 : 16;
  const unsigned bits = bits_of_row(row);
  const unsigned units = std::min(bits, below);
  return {bits - units, limits_above(units), 2 * static_cast<int>(units) - 1};
}

LimitScale LimitScale::of_open_totals(const RowSteps& row, bool rounded) {
  const unsigned shift = rounded ? 10 : 0;
  const int size = limits_above(std::max(bits_of_row(row), shift + 1) - shift);
  return {shift, size, size};
}

int LimitScale::bin_of(Uint128 magnitude) const {
  if (magnitude <= limit(0)) return 0;
  const Uint128 below = (magnitude - 1) >> shift_;  // in whole units; at least 1
  const unsigned bits = bits_of(below);
  const bool is_lower_half = bits >= 2 && below < Uint128{3} << (bits - 2);
  return std::min(2 * static_cast<int>(bits) - (is_lower_half ? 2 : 1), size_);
}

// As share_of_rows() does it; small numbers in 64 bits, in which division is several times as fast. Where numbers are
// too large for it their last bits are left out: what the shares add up to gets smaller by it, and no share larger.
void share_limit(std::uint64_t key, Uint128 limit, Uint128 sum, const Uint128* magnitudes, std::size_t groups,
                 Uint128* shares) {
  const unsigned bits = bits_of(sum);
  if (bits <= 32) {
    const auto all = static_cast<std::uint64_t>(sum), most = static_cast<std::uint64_t>(limit), start = key % all;
    std::uint64_t up_to = 0, wholes = 0;
    for (std::size_t i = 0; i < groups; ++i) {
      up_to += static_cast<std::uint64_t>(magnitudes[i]);
      const std::uint64_t before = std::exchange(wholes, (up_to * most + start) / all);
      shares[i] = wholes - before;
    }
    return;
  }
  const unsigned shift = bits > 61 ? bits - 61 : 0;
  std::int64_t all = 0, up_to = 0;
  for (std::size_t i = 0; i < groups; ++i) all += static_cast<std::int64_t>(magnitudes[i] >> shift);
  const auto most = static_cast<std::int64_t>(limit >> shift);
  for (std::size_t i = 0; i < groups; ++i) {
    const auto own = static_cast<std::int64_t>(magnitudes[i] >> shift);
    up_to += own;
    shares[i] = static_cast<Uint128>(share_of_rows(key, most, own, up_to, all)) << shift;
  }
}

}  // namespace dp::aggregate
