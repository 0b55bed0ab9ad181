// dp_min and dp_max: a point of a grid of the bounds (quantile.h) near which the values end.
//
// The least value of all is one row's and cannot be told. What is told is a point below which few rows lie. With
// before(c) the rows in cells below c, through(c) these and those in c, and r a rank that is public,
//   u(c) = -max(0, before(c) - r, r - through(c)),
// which is 0 where c's cell holds the r-th row from below; for the greatest value all counts are from above. Both laws
// of core/noise/selection.h choose by it.
//
// One row more changes before(c) - r by 0 or 1 and r - through(c) by 0 or -1, so u(c) by 1 at most in either direction:
// the rate epsilon / 2 is epsilon-DP for either law, and epsilon / (2 k) where k rows change at once.
//
// What it is good for: a cell of utility -x or less is chosen with probability e^{-rate x} at most, under either law
// (the weights of the exponential mechanism; of permute-and-flip, which is report-noisy-max with exponential noise,
// the noise of that cell is at least x). So where there are r rows, all cells of utility -r or less together are chosen
// with probability points e^{-rate r}, which is at most 1/20 for r = ln(20 points) / rate. In 95 of 100 answers at
// least one row lies at the answer or beyond it, and fewer than 2 r do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/selection.h"

namespace dp::aggregate {

enum class End { least, greatest };

// u(c) for each point c, from the counts of rows at the points in ascending order.
std::vector<noise::Utility> end_utilities(std::span<const std::uint64_t> counts, End end, noise::Utility rank);

// Where `rows` rows change at once.
inline noise::Ratio end_rate(mechanism::Epsilon epsilon, noise::Uint128 rows) {
  return epsilon.per(noise::checked_mul(2, rows));
}

// The rank r of so many points, rounded up.
noise::Utility end_rank(mechanism::Epsilon epsilon, std::size_t points, noise::Uint128 rows);

}  // namespace dp::aggregate
