#include "core/accumulate/chosen_limit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

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

void limit_magnitude(State& unit, Uint128 most, const RowSteps& row) {
  if (unit.tag == Tag::sum) {
    Uint128& total = static_cast<SumState&>(unit).total;
    const auto signed_most = static_cast<Int128>(most);
    total = static_cast<Uint128>(std::clamp(static_cast<Int128>(total), -signed_most, signed_most));
  } else {
    limit_unit(unit, static_cast<std::uint32_t>(std::min<Uint128>(most, LimitScale::kMostRows)), row);
  }
}

// Where the numbers are too large for share_of_rows() their last bits are left out: what the shares add up to gets
// smaller by it, and no share gets larger.
void share_limit(std::uint64_t key, Uint128 limit, Uint128* magnitudes, std::size_t groups) {
  Uint128 sum = 0;
  for (std::size_t i = 0; i < groups; ++i) sum += magnitudes[i];
  const unsigned bits = bits_of(sum), shift = bits > 61 ? bits - 61 : 0;
  std::int64_t all = 0, up_to = 0;
  for (std::size_t i = 0; i < groups; ++i) all += static_cast<std::int64_t>(magnitudes[i] >> shift);
  const auto most = static_cast<std::int64_t>(limit >> shift);
  for (std::size_t i = 0; i < groups; ++i) {
    const auto own = static_cast<std::int64_t>(magnitudes[i] >> shift);
    up_to += own;
    magnitudes[i] = static_cast<Uint128>(share_of_rows(key, most, own, up_to, all)) << shift;
  }
}

ChosenLimit choose_limit(const LimitScale& scale, noise::Int128View units, double counted, double answered,
                         bool means) {
  constexpr double kLeast = 1, kPerBin = 1.2;  // in the scale of the noise on a count
  const auto count = [&](int bin) { return static_cast<double>(units[static_cast<std::size_t>(bin)]) * counted; };
  const int bins = scale.size() + 1;
  // The fullest bin, of which usual ones are believed more easily; from there upwards those that stand out.
  const auto believed = [&](int bin) { return count(bin) - kPerBin * std::max(bin - scale.usual(), 0); };
  int top = 0;
  for (int bin = 1; bin < bins; ++bin) {
    if (believed(bin) > believed(top)) top = bin;
  }
  for (int bin = top + 1; bin < bins; ++bin) {
    if (count(bin) >= kLeast + kPerBin * (bin - top)) top = bin;
  }
  const auto limit = [&](int number) { return static_cast<double>(scale.limit(number)); };
  const auto middle = [&](int bin) {
    if (bin == 0) return limit(0);
    return bin == scale.size() ? 1.5 * limit(bin - 1) : (limit(bin - 1) + limit(bin)) / 2;
  };
  const auto magnitudes = [&](int bin) { return std::fmax(count(bin) / counted, 0) * middle(bin); };
  double all = 0;
  for (int bin = 0; bin <= top; ++bin) all += magnitudes(bin);
  ChosenLimit best{0, 0};
  double least = INFINITY;
  for (int number = 0; number <= std::min(top, scale.size() - 1); ++number) {
    double cut = 0;
    for (int bin = number + 1; bin <= top; ++bin) cut += magnitudes(bin) * (1 - limit(number) / middle(bin));
    const double noise = std::numbers::sqrt2 * limit(number) / answered;
    const double error = means ? std::hypot(0.001 * cut / all, noise / (all - cut)) : std::hypot(cut, noise);
    if (!(error < least)) continue;
    least = error;
    best = {number, all > cut ? cut / (all - cut) : 0};
  }
  return best;
}

}  // namespace dp::aggregate
