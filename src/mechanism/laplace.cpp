// laplace: Laplace noise, drawn as a discrete Laplace on a lattice so fine that no continuous law is needed.
//
// Source: Dwork, McSherry, Nissim, Smith, "Calibrating Noise to Sensitivity" (2006); the proof is geometric's, on the
// finer lattice. Whole numbers are cut into steps of 2^-32 (less where the sensitivity is large) and the answer is rounded
// at the end, which is post-processing; geometric is better for them and is what `auto` takes.
#include <cmath>
#include <numbers>

#include "mechanism/catalogue.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

// The steps in which the largest change of one coordinate is cut, at most.
constexpr Uint128 kSteps = Uint128{1} << 32;

Calibration calibrate_laplace(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  unsigned refinement = 0;
  if (lattice == Lattice::integer) {
    while (changes.linf << (refinement + 1) <= kSteps) ++refinement;
  }
  const Changes refined = changes.times(Uint128{1} << refinement);
  return {m, noise::DiscreteLaplace{epsilon.per(refined.l1)}, refinement};
}

// Of the continuous law with x = epsilon/sensitivity.
Loss continuous_loss(double x) {
  const double b = 1 / x;
  return {b, b, 2 * b * b, std::log2(2 * std::numbers::e * b), std::log(20.0) * b};
}

// Of that law rounded to whole numbers: P(0) = 1 - e^{-x/2}, P(k) = sinh(x/2) e^{-|k| x}, so that
// E|K| = sqrt(a)/(1-a) with a = e^{-x}.
Loss rounded_loss(double x) {
  const double half = x / 2;
  const double expected_abs = 1 / (2 * std::sinh(half));
  const double expected_sq = expected_abs / std::tanh(half);
  const double zero = -std::expm1(-half);
  // log2 sinh(x/2) and its weight P(K != 0), in a form that survives large x.
  const double log_sinh = half + std::log1p(-std::exp(-x)) - std::numbers::ln2;
  const double entropy =
      (-zero * std::log(zero) - std::exp(-half) * log_sinh + x * expected_abs) / std::numbers::ln2;
  const auto tail = [x](double n) { return std::exp(-x * (n + 0.5)); };
  return {1 / x, expected_abs, expected_sq, entropy, integer_interval95(tail)};
}

Description describe_laplace(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const double x = epsilon.value() / sensitivity;
  return {m, lattice == Lattice::integer ? rounded_loss(x) : continuous_loss(x)};
}

}  // namespace

const Family kLaplace{"laplace", "laplace", {}, accept_keys, calibrate_laplace, describe_laplace};

}  // namespace dp::mechanism
