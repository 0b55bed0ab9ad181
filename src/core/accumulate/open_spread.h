// The spread of values for which nobody has said where they end: first between which points nearly all of them lie,
// then their moments between these.
//
// Each end is chosen as dp_min and dp_max do it (ends.h), among the numbers with few digits (open_grid.h), at an eighth
// of epsilon; so that few rows lie beyond it, and some do. What was found is public from then on. Rows are cut to it
// and counted in 0 to kSteps equal steps, whatever rounding does to them, and their moments are released as those
// between declared bounds (noisy_answer.h), with discrete Laplace noise for three quarters of epsilon: one row changes
// the triple by kSteps^2 in l1. All of it together is epsilon-DP.
#pragma once

#include "core/accumulate/noisy_answer.h"
#include "core/accumulate/open_grid.h"
#include "core/accumulate/points.h"
#include "core/mechanism/epsilon_delta.h"

namespace dp::aggregate {

class OpenSpread {
 public:
  static constexpr std::int64_t kSteps = 1 << 16;
  static constexpr std::uint64_t kParts = 8;  // of epsilon

  // The rows' points on that grid, where `at_once` rows change at once. Epsilon is at least kParts of its units.
  OpenSpread(const SortedPoints& rows, const OpenGrid& grid, mechanism::Epsilon epsilon, Uint128 at_once,
             noise::BitSource& bits);

  // In steps of the grid's reader, squared.
  double variance() const;
  double population_variance() const;

 private:
  double lower_, upper_;  // steps
  MomentTriple noisy_;
};

}  // namespace dp::aggregate
