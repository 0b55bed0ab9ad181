// Vectors: the numbers of one column from which the numbers of rows and of values, their sum, mean, variance and
// deviation are read together, at the price of one answer.
//
// With X the steps of a value above the lower bound and Y those below the upper one, and `range` of them in between:
//   totals:       sum X, sum Y, N             where a row adds `range` in l1: by its value to X and Y, without one to N
//   all_moments:  sum X^2, sum 2XY, sum Y^2, N              ... range^2
// So a row has the same l1 whatever it is, and what is read from the noisy numbers costs nothing more.
// Sources: Kulesza, Suresh, Wang, "Mean Estimation in the Add-Remove Model of Differential Privacy" (2023,
// arXiv 2312.06658), for X and Y; the Bezier mechanism (2025, arXiv 2509.04919), of which the squares are degree 2.
//
// The numbers of a mean (sum X, sum Y) and of a variance (those of all moments but N) are read in the same way, as far
// as they go.
//
// Nothing but what is called exact knows a true count; special cases test noisy numbers.
#pragma once

#include <cstddef>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/noisy_answer.h"

namespace dp::aggregate {

struct ExactTotals {
  MeanPair pair;
  Int128 missing;  // N
};
ExactTotals exact_totals(const TotalsState& state, std::int64_t range);

struct ExactMoments {
  MomentTriple triple;
  Int128 missing;
};
ExactMoments exact_moments(const AllMomentsState& state, std::int64_t range);

constexpr bool is_vector(Form::Kind kind) {
  using enum Form::Kind;
  return kind == totals || kind == all_moments || kind == covariance || kind == regression;
}

// Of two columns (pairs.h).
constexpr bool is_of_pairs(Form::Kind kind) {
  using enum Form::Kind;
  return kind == covariance || kind == regression || kind == of_covariance || kind == of_regression;
}

constexpr bool has_squares(Form::Kind kind) {
  using enum Form::Kind;
  return kind == all_moments || kind == variance || kind == stddev || kind == population_variance ||
         kind == population_stddev;
}

// Of both columns of pairs.
constexpr bool has_squares_of_pairs(Form::Kind kind) {
  return kind == Form::Kind::regression || kind == Form::Kind::of_regression;
}

// How many numbers of one column, or of pairs, an answer of that form has; 0 where it is no such answer.
constexpr std::size_t numbers_of_column(Form::Kind kind) {
  if (is_of_pairs(kind)) return (has_squares_of_pairs(kind) ? 9 : 4) + (is_vector(kind) ? 1 : 0);
  if (!has_squares(kind) && kind != Form::Kind::mean && kind != Form::Kind::totals) return 0;
  return (has_squares(kind) ? 3 : 2) + (is_vector(kind) ? 1 : 0);
}

// Whether the numbers of an answer of that form say that part of the same column, or of the same pairs.
constexpr bool says(Form::Kind kind, Part part) {
  if (is_of_pairs(kind) != is_of_pairs(part) && part != Part::rows) return false;
  if (is_of_pairs(kind) && part >= Part::sxx && part < Part::covariances) return has_squares_of_pairs(kind);
  if (is_of_pairs(kind)) return is_vector(kind) || (part != Part::rows && part != Part::covariances);
  switch (part) {
    case Part::whole:
      return false;
    case Part::rows:
    case Part::totals:
      return is_vector(kind);
    case Part::count:
    case Part::sum:
    case Part::avg:
      return numbers_of_column(kind) > 0;
    default:
      return has_squares(kind);
  }
}

// What the noisy numbers of a vector, of a mean or of a variance say. They must live as long as this.
class NoisyVector {
 public:
  NoisyVector(const Form& form, noise::Int128View noisy) : form_(form), noisy_(noisy) {}

  // Rows (of a vector), and rows that have a value: the nearest whole numbers, 0 at least.
  std::int64_t rows() const { return whole_rows(sum(noisy_.size)); }
  std::int64_t count() const { return whole_rows(of_values()); }

  // The sum of the values is lower * of_values() / row() + above() / step() steps.
  Int128 of_values() const { return sum(is_squared() ? 3 : 2); }  // row() for each value
  Int128 above() const;  // step() for each step of a value above the lower bound
  Uint128 row() const;
  Uint128 step() const;

  noise::Int128View noisy() const { return noisy_; }

  // Two numbers that stand to each other as sum X to sum Y.
  MeanPair pair() const;

  bool is_squared() const { return has_squares(form_.kind); }

 private:
  Int128 sum(std::size_t numbers) const;  // of the first ones
  std::int64_t whole_rows(Int128 of_rows) const;

  const Form& form_;
  noise::Int128View noisy_;
};

}  // namespace dp::aggregate
