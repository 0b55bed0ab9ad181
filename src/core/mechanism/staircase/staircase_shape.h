// The figures of a staircase law of any step: errors, tails and characteristic functions in closed form.
#pragma once

#include <cmath>

#include "core/mechanism/loss.h"

namespace dp::mechanism {

// Sums over the stairs j with weight a^j, a = e^{-epsilon}, relative to their total.
struct Stairs {
  double epsilon;
  double alpha = std::exp(-epsilon);
  double mean = 1 / std::expm1(epsilon);                        // E j
  double mean_sq = mean * (1 + alpha) / -std::expm1(-epsilon);  // E j^2
};

// The continuous law at sensitivity 1: the density is flat on [j, j + s) and again, lower by a, on [j + s, j + 1), 0 <
// s <= 1.
struct ContinuousStaircase {
  Stairs stairs;
  double s;

  Loss loss() const;
  double within(double t) const;  // P(|X| <= t)
  double phi(double t) const;     // |E e^{itX}|
};

// The integer law with stairs of `width` and flat step r, 1 <= r <= width: noise::Staircase in floating point.
struct IntegerStaircase {
  Stairs stairs;
  double width;
  double r;

  Loss loss() const;
  double within(double t) const;
  double phi(double t) const;

 private:
  double side() const;  // the weight of {0, 1, 2, ...} in terms of that of zero
  double total() const { return 2 * side() - 1; }
  double up_to(double n) const;  // the weight of {0, 1, ..., n}
};

}  // namespace dp::mechanism
