// geometric: discrete Laplace noise on whole numbers, the least noisy pure mechanism for a count.
//
// Source: Ghosh, Roughgarden, Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms" (2009).
// With a = e^{-epsilon/l1} a change (d_1, ..., d_m) multiplies the probability of an answer by at most
// a^{-(|d_1| + ... + |d_m|)} <= e^epsilon: the loss is linear in the shift, so the joint l1 norm is enough for any m.
#include <cmath>
#include <numbers>

#include "core/mechanism/catalogue.h"

namespace dp::mechanism {
namespace {

Calibration calibrate_geometric(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice) {
  return {m, noise::DiscreteLaplace{epsilon.per(changes.l1)}, 0};
}

double rate_of(const noise::DiscreteLaplace& law) {
  return static_cast<double>(law.rate.num) / static_cast<double>(law.rate.den);
}

// The closed forms at x = epsilon/sensitivity. They are 0 or finite for every x > 0, also where e^x overflows.
Loss geometric_loss(double x) {
  const double expected_abs = 1 / std::sinh(x);
  const double half = std::sinh(x / 2);
  const double entropy = expected_abs * x / std::numbers::ln2 - std::log2(std::tanh(x / 2));
  const auto tail = [x](double n) { return 2 * std::exp(-x * (n + 1)) / (1 + std::exp(-x)); };
  return {1 / x, expected_abs, 1 / (2 * half * half), entropy, integer_interval95(tail)};
}

// P(|X| <= t): a^0 and both tails up to n = floor(t), without cancellation for small x.
double geometric_within(double x, double t) {
  const double n = std::floor(t);
  return -(std::expm1(-x * (n + 1)) + std::exp(-x) * std::expm1(-x * n)) / (1 + std::exp(-x));
}

// (1-a)^2 / (1 - 2a cos t + a^2)
double geometric_phi(double x, double t) {
  const double ratio = std::sin(t / 2) / std::sinh(x / 2);
  return 1 / (1 + ratio * ratio);
}

Description describe_geometric(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice) {
  const double x = epsilon.value() / sensitivity;
  return {m, geometric_loss(x), [x](double t) { return geometric_within(x, t); },
          [x](double t) { return geometric_phi(x, t); }};
}

}  // namespace

Loss loss(const noise::DiscreteLaplace& law) { return geometric_loss(rate_of(law)); }

Within within(const noise::DiscreteLaplace& law) {
  return [x = rate_of(law)](double t) { return geometric_within(x, t); };
}

const Family kGeometric{"geometric", "geometric", {}, accept_keys, calibrate_geometric, describe_geometric};

}  // namespace dp::mechanism
