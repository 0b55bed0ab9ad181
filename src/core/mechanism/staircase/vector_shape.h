// The figures of one number of a staircase vector (core/noise/staircase_vector.h), in floating point: reports, and the
// search for the best step. They prove nothing.
#pragma once

#include <array>

#include "core/mechanism/loss.h"

namespace dp::mechanism {

// The vector is uniform on balls: with weight a^j on that of radius step - 1 + j width, in the sum of magnitudes. How
// many vectors of d whole numbers have a sum of magnitudes up to R is sum over i of 2^i C(d, i) C(R, i), which is added
// up over R in closed form: so all sums here are sums over stairs alone.
class VectorShape {
 public:
  VectorShape(double epsilon, double width, double step, unsigned coordinates);

  double expected_abs() const { return 2 * first_ / total_; }
  double expected_sq() const { return (4 * second_ - 2 * first_) / total_; }
  double tail(double t) const;  // P(|X| >= t), t a whole number
  Loss loss() const;

 private:
  template <class Term>
  double over_stairs(Term term) const;
  double counted(unsigned d, double n, unsigned more) const;

  double alpha_, width_, step_;
  unsigned coordinates_;
  int stairs_;                                                               // as many as show in a double
  std::array<double, noise::StaircaseVector::kMaxCoordinates + 1> inverse_;  // width^-i
  double total_, first_, second_;
};

// The step of least expected error, squared error if so, of a number; at least 1, at most width.
double best_vector_step(double epsilon, double width, unsigned coordinates, bool squared);

}  // namespace dp::mechanism
