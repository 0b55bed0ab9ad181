// dp_quantile: which point of a grid of the bounds divides the rows.
//
// The bounds are divided into equal cells around the grid's points, and rows are counted by cell. With before(c) the
// rows in cells before c, through(c) these and those in c, and t = q (n - 1) + 1/2 the rank of the q-quantile of n
// rows,
//   u(c) = -max(0, before(c) - t, t - through(c)),
// which is 0 where c's cell holds the q-quantile, and elsewhere minus the number of ranks from there. Both laws of
// core/noise/selection.h choose by this utility; q is held in 10^-9 and utilities in 10^-9 of a rank, so all is exact.
//
// One row more in cell k adds q to t; so it changes before - t by -q for c <= k and by 1 - q for c > k, and t - through
// by q for c < k and by -(1 - q) for c >= k. Hence |d(c)| <= D = max(q, 1 - q). As before and through grow with c:
// - t < before(k): d = -(1 - q) for c > k, which all lie beyond t, and |d| <= q for c <= k. The range of d is at most
//   max(2q, 1).
// - through(k) < t: d = -q for c < k, which all lie before t, and |d| <= 1 - q for c >= k. The range of d is at most
//   max(2(1 - q), 1).
// - otherwise: d(k) = 0, d = -q for c < k and d = -(1 - q) for c > k.
// So the range is at most 2 max(q, 1 - q) = 2D, and the rate epsilon / (2 max(q, 1 - q)) is epsilon-DP for either law.
// At the median that is epsilon for each rank.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/selection.h"

namespace dp::aggregate {

// The fraction q of rows below the quantile, as a whole number of 10^-9.
struct Fraction {
  static constexpr std::uint32_t kPerUnit = 1'000'000'000;

  std::uint32_t nano;

  // The nearest one. Throws dp::Error outside 0 .. 1.
  static Fraction from(double value);

  friend auto operator<=>(const Fraction&, const Fraction&) = default;

  // 2 max(q, 1 - q): the most that one row can change utilities against each other, in their unit.
  std::uint32_t range() const { return 2 * std::max(nano, kPerUnit - nano); }
};

// The grid of a quantile: points 0 .. cells from the lower bound to the upper one, over values of 0 .. range steps.
struct QuantileGrid {
  // As many cells as the state has room for; a multiple of 1,000, so that decimal bounds have decimal points.
  static constexpr std::int64_t kMaxCells = 4000;

  std::int64_t range;
  std::int64_t cells;

  // Whole numbers that are few enough get a point each.
  static QuantileGrid make(std::int64_t range) { return {range, range < kMaxCells ? range : kMaxCells}; }

  // As many as can be numbered in 32 bits, for 1 <= range <= 2^32 (gaps.h).
  static QuantileGrid make_fine(std::int64_t range) { return {range, range >> 32 == 0 ? range : range / 2}; }

  std::int64_t points() const { return cells + 1; }

  // The nearest point, for 0 <= steps <= range <= 2^33. Monotone.
  std::int64_t point(std::int64_t steps) const {
    if (cells == range) return steps;
    if (2 * cells == range) return (steps + 1) / 2;
    return (steps * cells + range / 2) / range;
  }

  // Where a point lies between the bounds.
  double value(std::int64_t point, double lower, double upper) const;
};

// u(c) for each point c, from the counts of rows at the points.
std::vector<noise::Utility> quantile_utilities(std::span<const std::uint64_t> counts, Fraction fraction);

// epsilon for each unit of utility over the range of its changes, where `rows` rows change at once.
inline noise::Ratio quantile_rate(mechanism::Epsilon epsilon, Fraction fraction, noise::Uint128 rows) {
  return epsilon.per(noise::checked_mul(fraction.range(), rows));
}

}  // namespace dp::aggregate
