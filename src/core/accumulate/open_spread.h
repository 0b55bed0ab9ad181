// The spread of values for which nobody has said where they end: first between which points nearly all of them lie,
// then their moments between these.
//
// The range takes a quarter of epsilon (found_range.h), and is public from then on. Rows are cut to it and counted in
// 0 to kSteps equal steps, whatever rounding does to them, and their moments are released as those between declared
// bounds (noisy_answer.h), with discrete Laplace noise for three quarters of epsilon: one row changes the triple by
// kSteps^2 in l1. All of it together is epsilon-DP.
//
// Of too few rows no range is found, and what was chosen may lie anywhere, or be far too wide. It shows: of the
// products of the rows' distances from both ends, or of their variance, there is nothing but noise.
#pragma once

#include "core/accumulate/found_range.h"
#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/epsilon_delta.h"

namespace dp::aggregate {

class OpenSpread {
 public:
  static constexpr std::int64_t kSteps = 1 << 16;
  static constexpr std::uint64_t kParts = 4;  // of epsilon: one is for the range

  // The rows' points on that grid, where `at_once` rows change at once. Epsilon is at least 2 kParts of its units.
  OpenSpread(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon, Uint128 at_once,
             noise::BitSource& bits);

  // Whether the noisy moments look like those of rows between these ends. If not, the variance may be anything.
  bool is_found() const { return found_; }

  // In steps of the grid's reader, squared.
  double variance() const;
  double population_variance() const;

 private:
  FoundRange range_;
  MomentTriple noisy_;
  bool found_;
};

}  // namespace dp::aggregate
