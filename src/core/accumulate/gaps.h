// Quantiles among all points between the bounds, too many to count the rows at each: over the gaps between rows.
//
// The law is that of quantile.h and quantiles.h by the exponential mechanism, with a cell for each point: between two
// rows all points have the same utility, so that a gap is chosen by its width, and a point in it is as likely as any
// other. What is proven there of the change by one row holds for any number of cells.
//
// The draw is exact and takes neither all points nor all rows, only rows in order. Utilities fall on both sides of the
// rank that is looked for. With x_c = rate (u_max - u_c), the points of x_c >= k are those before one row and those
// after another one, for each whole k: so many are in shell k, of k <= x < k + 1. A shell is proposed with a
// probability proportional to its points times (3/8)^k, of it each point alike; and taken with probability
//   (8/(3e))^k e^{-(x - k)},
// whose factors are flips. 3/8 is a little more than 1/e, so that two or three proposals are expected. Beyond the last
// shell all is one, which is proposed once in 2^90 times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/accumulate/points.h"
#include "core/accumulate/quantile.h"
#include "core/noise/bit_source.h"

namespace dp::aggregate {

// Consecutive points, and the rows at them: from `begin` to before `end` in ascending order. Of the rows at the first
// and the last point some may belong to other stretches.
struct Stretch {
  std::uint64_t begin;
  std::uint64_t end;
  std::int64_t first;
  std::int64_t last;

  std::uint64_t rows() const { return end - begin; }
};

// What is chosen: a point, and the first row that lies above it, of those that are counted so (quantiles.h).
struct ChosenPoint {
  std::int64_t point;
  std::uint64_t row;
};

// A point of the stretch by how few ranks it lies from `rank`, in units of which a row has `unit`: the law of
// exponential_mechanism() in core/noise/selection.h over utilities
//   u(c) = -max(0, before(c) - rank, rank - through(c)),
// where each point is `parts` candidates with that part of its rows each, in units of which a row has unit * parts.
ChosenPoint choose_by_rank(const SortedPoints& rows, const Stretch& stretch, noise::Utility rank, std::uint64_t unit,
                           std::uint64_t parts, const noise::Ratio& rate, noise::BitSource& bits);

// The points of the fractions, which ascend and are all different, among points 0 to `last`, where `at_once` rows
// change at once. Throws as epsilon_of_round() in quantiles.h.
std::vector<std::int64_t> quantiles_in_gaps(const SortedPoints& rows, std::int64_t last,
                                            std::span<const Fraction> fractions, mechanism::Epsilon epsilon,
                                            noise::Uint128 at_once, noise::BitSource& bits);

}  // namespace dp::aggregate
