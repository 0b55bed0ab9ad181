// The laws that calibrate() returns, read as the 50-digit laws of support/laws.h, and the privacy that these really
// give.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/mechanism/mechanism.h"
#include "core/mechanism/mechanism_text.h"
#include "support/laws.h"
#include "support/ratio.h"

namespace dp::test {

inline Real real(mechanism::Epsilon epsilon) { return Real(epsilon.nano) / mechanism::Epsilon::kPerUnit; }
inline Real real(mechanism::Delta delta) { return Real(delta.atto) / mechanism::Delta::kPerUnit; }
inline Real variance_of(const noise::DiscreteGaussian& law) { return ldexp(Real(law.mantissa), law.exponent); }

inline LaplaceLaw reading(const noise::DiscreteLaplace& law) { return LaplaceLaw(real(law.rate)); }
inline StaircaseLaw reading(const noise::Staircase& law) {
  return {real(law.epsilon), static_cast<std::int64_t>(law.width), static_cast<std::int64_t>(law.step)};
}

// losses[d]: the greatest ln P(x) - ln P(x + d) over x, for every shift d = 0..most. The pmf is looked at three times
// the shift to either side: both pure laws repeat themselves there up to a factor.
template <class Law>
std::vector<Real> losses_by_shift(const Law& law, std::int64_t most) {
  const std::int64_t reach = 3 * most + 2;
  std::vector<Real> logs;
  for (std::int64_t x = -reach; x <= reach; ++x) logs.push_back(log(law.mass(x)));
  std::vector<Real> losses(most + 1, Real(0));
  for (std::int64_t d = 1; d <= most; ++d) {
    for (std::size_t i = 0; i + d < logs.size(); ++i) {
      losses[d] = std::max<Real>(losses[d], abs(logs[i] - logs[i + d]));
    }
  }
  return losses;
}

// The worst loss of `coordinates` independent draws whose shifts add up to at most `total`: the greatest ratio of a
// product is the product of the greatest ratios.
inline Real worst_shared_loss(const std::vector<Real>& losses, unsigned coordinates, std::int64_t total) {
  if (coordinates == 0) return 0;
  Real worst = 0;
  for (std::int64_t d = 0; d <= total; ++d) {
    worst = std::max<Real>(worst, losses[d] + worst_shared_loss(losses, coordinates - 1, total - d));
  }
  return worst;
}

// Sum of max(0, P(x) - e^epsilon P(x + shift)) of the discrete Gaussian, by adding its pmf. Terms that are left out
// beyond `deviations` standard deviations make the result smaller.
inline Real summed_delta(const Real& variance, std::int64_t shift, const Real& epsilon, int deviations = 15) {
  const auto last = static_cast<std::int64_t>(ceil(deviations * sqrt(variance))) + shift + 2;
  std::vector<Real> weights;
  for (std::int64_t x = 0; x <= last + shift; ++x) weights.push_back(exp(-Real(x) * x / (2 * variance)));
  Real total = -weights[0];
  for (const Real& weight : weights) total += 2 * weight;
  const Real factor = exp(epsilon);
  Real sum = 0;
  for (std::int64_t x = -last; x <= last; ++x) {
    const Real gap = weights[std::abs(x)] - factor * weights[std::abs(x + shift)];
    if (gap > 0) sum += gap;
  }
  return sum / total;
}

// The same for two independent coordinates that change by (a, b), in long double.
inline long double summed_pair_delta(const Real& variance, std::int64_t a, std::int64_t b, double epsilon) {
  const auto v = static_cast<long double>(variance);
  const auto last = static_cast<std::int64_t>(std::ceil(12 * std::sqrt(v))) + 2;
  std::vector<long double> weights;
  for (std::int64_t x = 0; x <= last + std::max(a, b); ++x) weights.push_back(std::exp(-(x * x) / (2 * v)));
  long double total = -weights[0];
  for (const long double weight : weights) total += 2 * weight;
  const long double factor = std::exp(static_cast<long double>(epsilon));
  long double sum = 0;
  for (std::int64_t x = -last; x <= last; ++x) {
    for (std::int64_t y = -last; y <= last; ++y) {
      const long double gap =
          weights[std::abs(x)] * weights[std::abs(y)] - factor * weights[std::abs(x + a)] * weights[std::abs(y + b)];
      if (gap > 0) sum += gap;
    }
  }
  return sum / (total * total);
}

}  // namespace dp::test
