// The reading of a geometric count on 0..n that is best against the worst true count, no prior given.
//
// Source: Gupte, Sundararajan, "Universally Optimal Privacy Mechanisms for Minimax Agents" (2010): the geometric
// mechanism with this randomised reading is as good as any epsilon-private mechanism for that loss.
#pragma once

#include <vector>

#include "core/planning/remap.h"

namespace dp::planning {

struct MinimaxRemap {
  int n;
  double loss;         // the expected loss for the worst true count
  double lower_bound;  // no reading has less: the Bayes loss of some prior. Equal to `loss` up to 1e-9 of it.
  std::vector<double> probabilities;  // entry answer*(n+1) + reading: how often that answer is read so

  double probability(int answer, int reading) const { return probabilities[answer * (n + 1) + reading]; }
};

inline constexpr int kMaxMinimaxCount = 100;

// Throws dp::Error unless 0 <= n <= kMaxMinimaxCount.
//
// The linear programme: minimise v under sum over y, j of t[y][j] P(y|i) cost(i, j) <= v for every true count i and
// sum over j of t[y][j] = 1 for every answer y, t >= 0. The revised simplex method starts where every answer is read as
// it stands, and looks for the next column among the best readings for the prior that the dual prices are: best_reading
// finds it without pricing the others, and their Bayes loss is the lower bound at which to stop.
MinimaxRemap minimax_remap(mechanism::Epsilon epsilon, int n, ReadingLoss loss);

}  // namespace dp::planning
