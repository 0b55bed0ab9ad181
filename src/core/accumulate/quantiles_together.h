// Several quantiles chosen at once, at up to half the error of choosing one after the other (quantiles.h).
//
// The rows of a point lie evenly over its parts (candidates.h), so that a candidate k has a rank R(k), which need not
// be whole. m candidates in order, k_1 <= ... <= k_m, part the rows into m + 1 stretches of n_j = R(k_j) - R(k_{j-1})
// rows. With the differences D_j of the fractions a table of s rows would have tau_j(s) = D_j (s - 1) in them, and half
// a row more in the first and in the last one, as a quantile of s rows has the rank q (s - 1) + 1/2. Chosen is
//   (s, k_1, ..., k_m) with probability proportional to exp(-c sum_j |n_j - tau_j(s)|),
// s among some public numbers, and then s is forgotten. So the rows need not be counted: s finds itself.
//
// One row more adds to the n_j, in all, one row: it is in one stretch, or in parts of it in several where candidates
// lie in its point. So the sum changes by at most 1 in either direction, whatever was chosen, and c = epsilon/2 is
// epsilon-DP (core/noise/selection.h: the range of changes is 2). For one quantile and the best s this is the law of
// quantile.h. Its error is that of the sums of m + 1 Laplace variables of scale 2/epsilon less what all have in common:
// it grows like the root of m, where choices one after the other have log2 m times the error of one.
//
// Where are the numbers s? Around a noisy number of rows, for which a small part of epsilon is spent.
//
// The draw is exact. Candidates are put into bins by rank, narrow ones near the ranks that are looked for. By bins the
// law is a chain: of a bin and the next one, upper bounds of exp(-c |n - tau|) for all candidates of both are products
// of numbers of either bin (Above: integers, rounded up). Running sums give the weight of all chains that end in a bin,
// for each s; from these s and, from the last to the first, the bins are drawn by whole weights, and candidates of a
// bin alike. What was proposed is taken with the probability by which its weight exceeds what the law says: a ratio of
// integers times e^{-x}, which is enclosed as closely as the flip needs (core/noise/enclosed.h). Which bins there are
// changes how many proposals it takes, and not the law.
//
// The utility: J. Gillenwater, M. Joseph, A. Kulesza, "Differentially Private Quantiles", ICML 2021, where s is the
// number of rows, whose changes cost up to twice as much.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/accumulate/points.h"
#include "core/accumulate/quantile.h"
#include "core/noise/bit_source.h"

namespace dp::aggregate {

// So many fractions are chosen at once at most; more of them take long.
inline constexpr std::size_t kMostTogether = 12;

// How epsilon is divided.
struct TogetherEpsilon {
  mechanism::Epsilon rows;    // of the noisy number of rows
  mechanism::Epsilon choice;  // of what is chosen

  // 1/32 for the number. Throws dp::Error where nothing is left for it.
  static TogetherEpsilon of(mechanism::Epsilon epsilon);
};

// How many ranks each of the fractions is off in the mean, where values lie evenly.
double ranks_off_together(std::span<const Fraction> fractions, mechanism::Epsilon epsilon, double at_once);

// The law above for the fractions, which ascend and are all different, among points 0 to `last` of so many parts each,
// with c = rate: the points that are chosen.
std::vector<std::int64_t> choose_together(const SortedPoints& rows, std::int64_t last,
                                          std::span<const Fraction> fractions, std::span<const std::uint64_t> totals,
                                          std::uint64_t parts, const noise::Ratio& rate, noise::BitSource& bits);

// The points of the fractions, where `at_once` rows change at once.
std::vector<std::int64_t> quantiles_together(const SortedPoints& rows, std::int64_t last,
                                             std::span<const Fraction> fractions, mechanism::Epsilon epsilon,
                                             noise::Uint128 at_once, noise::BitSource& bits);

}  // namespace dp::aggregate
