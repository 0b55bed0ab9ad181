// The Gaussian laws as dp_describe and the planning functions see them, in floating point.
#pragma once

#include <functional>

#include "core/noise/discrete_gaussian.h"

namespace dp::mechanism {

struct GaussianShape {
  std::function<double(double)> within;  // P(|X| <= t), t >= 0
  std::function<double(double)> phi;     // |E e^{itX}|
};

GaussianShape continuous_shape(double sigma);
GaussianShape rounded_shape(double sigma);  // of the continuous law rounded to whole numbers
GaussianShape discrete_shape(const noise::DiscreteGaussian& law);

}  // namespace dp::mechanism
