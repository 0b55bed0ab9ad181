// laplace: Laplace noise, drawn as a discrete Laplace on a lattice so fine that no continuous law is needed.
//
// Source: Dwork, McSherry, Nissim, Smith, "Calibrating Noise to Sensitivity" (2006); the proof is geometric's, on the
// finer lattice. Whole numbers are cut into steps of 2^-32 (less where the sensitivity is large) and the answer is
// rounded at the end, which is post-processing; geometric is better for them and is what `auto` takes.
#include <cmath>
#include <numbers>

#include "core/mechanism/catalogue.h"

namespace dp::mechanism {
namespace {

using noise::Uint128;

Calibration calibrate_laplace(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const unsigned refinement = lattice == Lattice::integer ? changes.refinement() : 0;
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
  const double log_sinh = half + std::log(-std::expm1(-x)) - std::numbers::ln2;
  const double entropy = (-zero * std::log(zero) - std::exp(-half) * log_sinh + x * expected_abs) / std::numbers::ln2;
  const auto tail = [x](double n) { return std::exp(-x * (n + 0.5)); };
  return {1 / x, expected_abs, expected_sq, entropy, integer_interval95(tail)};
}

double continuous_phi(double x, double t) { return 1 / (1 + t / x * (t / x)); }

// With b = e^{-x/2} and s = sin(t/2) the cosine series adds up to
// ((1+b)^2 - 2 b s^2) / ((1+b)^2 + (2 b s / (1-b))^2), which is positive.
double rounded_phi(double x, double t) {
  const double b = std::exp(-x / 2);
  const double s = std::sin(t / 2);
  const double ratio = 2 * b * s / -std::expm1(-x / 2);
  return ((1 + b) * (1 + b) - 2 * b * s * s) / ((1 + b) * (1 + b) + ratio * ratio);
}

Description describe_laplace(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const double x = epsilon.value() / sensitivity;
  if (lattice == Lattice::integer) {
    return {m, rounded_loss(x), [x](double t) { return -std::expm1(-x * (std::floor(t) + 0.5)); },
            [x](double t) { return rounded_phi(x, t); }};
  }
  return {m, continuous_loss(x), [x](double t) { return -std::expm1(-x * t); },
          [x](double t) { return continuous_phi(x, t); }};
}

}  // namespace

const Family kLaplace{"laplace", "laplace", {}, accept_keys, calibrate_laplace, describe_laplace};

}  // namespace dp::mechanism
