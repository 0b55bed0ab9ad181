// Vectors of two columns: how y and x go together, from noisy numbers at the price of one answer.
//
// With a and b the steps of y above its lower bound and below its upper one, c and d those of x, and N the rows in
// which either is missing:
//   covariance:  sum ac, sum ad, sum bc, sum bd, N       where a row adds range(y) range(x) in l1, to the first four by
//                                                        its values, to N without them
//   regression:  sum of (a^2, 2ab, b^2) x (c^2, 2cd, d^2), N      nine products, ... range(y)^2 range(x)^2
// The factors of each product add up to a range, or to its square: so a row has the same l1 whatever it is, and what is
// read from the noisy numbers costs nothing more. Sources: tensor products of Bernstein polynomials (the Bezier
// mechanism, 2025, arXiv 2509.04919; 2604.11820), of degree 1 and 2.
//
// The second number of an index is that of x: numbers[2 i + j], numbers[3 i + j]. An answer about one part alone has
// the same numbers but for N.
//
// Nothing but what is called exact knows a true count; special cases test noisy numbers.
#pragma once

#include <cstddef>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/state.h"
#include "core/accumulate/vector.h"

namespace dp::aggregate {

// So many steps at most between the bounds of a column: the products of four of them, of 2^62 rows, fit 128 bits.
inline constexpr int kPairBits = 16;

// What the numbers say, all between the bounds of the columns.
struct PairSays {
  double rows, pairs, avgx, avgy, sxy, covar_pop, covar_samp, sxx, syy, corr, r2, slope, intercept;
  bool any, spread_x, spread_y;  // whether there are pairs, and whether x and y of them differ

  static constexpr int kCount = 13;
  // In the order of Part, behind the rows.
  static constexpr int place_of(Part part) {
    return part == Part::rows ? 0 : 1 + static_cast<int>(part) - static_cast<int>(Part::pairs);
  }
  double at(int place) const { return (&rows)[place]; }
  double of(Part part) const { return at(place_of(part)); }
};
static_assert(offsetof(PairSays, any) == PairSays::kCount * sizeof(double));

// How many of them answers of that kind say.
constexpr int parts_said(Form::Kind kind) { return has_squares_of_pairs(kind) ? PairSays::kCount : 7; }

// Of the numbers in units of a row, of a form of pairs; without N there are as many rows as pairs. Where noise leaves
// no pairs, or no spread of x or y, averages are in the middle, and the rest is 0.
PairSays pair_says(const Form& form, const double* numbers, std::size_t count);

// What a row adds to all numbers of that form together.
double pair_row(const Form& form);

// The numbers of a state with N in the same unit; `count`: 4, 5, 9 or 10.
struct ExactPairs {
  Int128 numbers[10];
  std::size_t count;
};
ExactPairs exact_pairs(const CovarianceState& state, bool missing);
ExactPairs exact_pairs(const RegressionState& state, bool missing);

// A whole number of rows, 0 at least.
std::int64_t whole_pairs(double rows);

}  // namespace dp::aggregate
