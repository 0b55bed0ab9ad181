// dp_quantiles: several quantiles of the same rows, each chosen as one is (quantile.h), of fewer and fewer rows.
//
// The middle one of the fractions is chosen first. It parts the rows in two, and those below it say where the lower
// fractions are, those above it where the higher ones are; and so on. In each round of choices a row is in the rows of
// one choice, so a round costs what its dearest choice does for the rows of a unit, however they fall, and m fractions
// take floor(log2 m) + 1 rounds, each at that part of epsilon. The answers never cross. Source: H. Kaplan, S. Schnapp,
// U. Stemmer, "Differentially Private Approximate Quantiles", ICML 2022, where all values are different.
//
// Here many rows may be in one cell. A choice whose rows are parted afterwards is one among parts of cells: the rows of
// a cell lie evenly over its parts, and part j of s of a cell with n rows begins at the rank before(c) + j n/s. Of the
// cell's rows the first floor((2 j + 1) n / 2 s) go below, the others above. One row more in the cell makes one row
// more below or one more above, and nothing else, because floor(p (n + 1)) - floor(p n) is 0 or 1. Ranks at which parts
// begin change by 0 to 1 with it, so that a utility changes by max(q, 1 - q) at most, as in quantile.h, and the rate is
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/accumulate/quantile.h"

namespace dp::aggregate {

// How many fractions may be asked at once.
inline constexpr std::size_t kMostFractions = 100;

// The fraction of the rows between two fractions of all rows that a fraction of all is.
Fraction fraction_within(Fraction fraction, Fraction low, Fraction high);

// In how many rounds so many fractions are chosen.
int rounds_of_quantiles(std::size_t fractions);

// What each round costs. Throws dp::Error where epsilon cannot be divided.
mechanism::Epsilon epsilon_of_round(mechanism::Epsilon epsilon, std::size_t fractions);

// The place of one candidate, by their utilities at that rate: a law of core/noise/selection.h.
using Choose = std::function<std::size_t(std::span<const noise::Utility>, const noise::Ratio&)>;

// The points of the fractions, which ascend and are all different, from the counts of rows at all points, where `rows`
// rows change at once. Throws as epsilon_of_round().
std::vector<std::int64_t> quantile_points(std::span<const std::uint64_t> counts, std::span<const Fraction> fractions,
                                          mechanism::Epsilon epsilon, noise::Uint128 rows, const Choose& choose);

}  // namespace dp::aggregate
