#include "core/mechanism/gaussian/gaussian_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace dp::mechanism {
namespace {

using std::numbers::pi;

// P(|X| <= n) by sums: entry n, until no double is left between it and one.
std::vector<double> summed(double variance) {
  const auto last = static_cast<std::size_t>(std::ceil(std::sqrt(variance) * 9)) + 1;
  std::vector<double> within{1};
  for (std::size_t n = 1; n <= last; ++n) {
    const auto x = static_cast<double>(n);
    within.push_back(within.back() + 2 * std::exp(-x * x / (2 * variance)));
  }
  for (double& value : within) value /= within.back();
  return within;
}

// The midpoint rule with its first correction: exact up to sigma^-4.
double integrated(double sigma, double n) {
  const double edge = (n + 0.5) / sigma;
  const double density = std::exp(-edge * edge / 2) / std::sqrt(2 * pi);
  return std::min(1.0, std::erf(edge / std::numbers::sqrt2) + edge * density / (12 * sigma * sigma));
}

// sum of e^{-k^2/(2 variance)} cos(kt) over all k. Poisson summation turns it, up to a factor that does not depend on
// t, into a sum of e^{-variance (t - 2 pi m)^2/2}: few terms of one or the other are enough.
double theta(double variance, double t) {
  const double near = std::remainder(t, 2 * pi);
  double sum = variance < 1 ? 1 : 0;
  for (int k = variance < 1 ? 1 : -6; k <= (variance < 1 ? 40 : 6); ++k) {
    const double distance = near - 2 * pi * k;
    sum += variance < 1 ? 2 * std::exp(-k * k / (2 * variance)) * std::cos(k * near)
                        : std::exp(-variance * distance * distance / 2);
  }
  return sum;
}

}  // namespace

GaussianShape continuous_shape(double sigma) {
  return {[sigma](double t) { return std::erf(t / (sigma * std::numbers::sqrt2)); },
          [sigma](double t) { return std::exp(-sigma * t * (sigma * t) / 2); }};
}

GaussianShape rounded_shape(double sigma) {
  const auto within = [sigma](double n) { return std::erf((n + 0.5) / (sigma * std::numbers::sqrt2)); };
  const auto phi = [within, sigma](double t) {
    if (sigma > 100) return continuous_shape(sigma).phi(std::remainder(t, 2 * pi));
    double sum = within(0), before = sum;
    for (double n = 1; before < 1; ++n) {
      sum += (within(n) - before) * std::cos(n * t);
      before = within(n);
    }
    return std::abs(sum);
  };
  return {[within](double t) { return within(std::floor(t)); }, phi};
}

GaussianShape discrete_shape(const noise::DiscreteGaussian& law) {
  const double variance = std::ldexp(static_cast<double>(law.mantissa), law.exponent);
  const double sigma = std::sqrt(variance);
  const auto phi = [variance](double t) { return std::abs(theta(variance, t) / theta(variance, 0)); };
  if (sigma > 100) return {[sigma](double t) { return integrated(sigma, std::floor(t)); }, phi};
  return {[sums = summed(variance)](double t) {
            return t < static_cast<double>(sums.size()) ? sums[static_cast<std::size_t>(t)] : 1.0;
          },
          phi};
}

}  // namespace dp::mechanism
