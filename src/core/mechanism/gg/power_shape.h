// The generalised Gaussian laws as dp_describe shows them, in floating point: reports, which prove nothing.
#pragma once

#include <functional>

#include "core/mechanism/gg/range_loss.h"
#include "core/mechanism/loss.h"

namespace dp::mechanism {

struct PowerShape {
  Loss loss;                             // its scale is b
  std::function<double(double)> within;  // P(|noise| <= t), t >= 0
  std::function<double(double)> phi;     // |E e^{it noise}|
};

// Density, or probability of a whole number, proportional to e^{-(|x|/b)^p}.
PowerShape continuous_power_shape(Power p, double b);
PowerShape integer_power_shape(Power p, double b);

// The law on a range of that width (a whole number of steps for integers), where the exact answer is in its middle (or
// just below it). The entropy of the continuous law with atoms on the boundary is -E log2 of the atom or of the
// density.
PowerShape continuous_range_shape(RangeLaw, Power p, double b, double width);
PowerShape integer_range_shape(RangeLaw, Power p, double b, double width);

}  // namespace dp::mechanism
