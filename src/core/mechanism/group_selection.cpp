#include "core/mechanism/group_selection.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <variant>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/gaussian/gaussian_delta.h"
#include "core/mechanism/mechanism_text.h"
#include "core/number/real.h"

namespace dp::mechanism {
namespace {

// An upper bound of P(X = k), for k >= 1. It falls in k, for its denominator (1+a) e^{epsilon k} - 2a grows.
Real highest_delta(Epsilon epsilon, std::uint64_t k) {
  static const Real slack("1e-30");  // 50 digits lose at most 20 of them here: 1 - a is at least 10^-9
  const Real e = Real(epsilon.nano) / Epsilon::kPerUnit;
  const Real a = exp(-e);
  return (1 - a) / ((1 + a) * exp(e * k) - 2 * a) * (1 + slack);
}

// The same equation solved for k, in doubles.
std::uint64_t guess(double epsilon, double delta) {
  const double a = std::exp(-epsilon);
  const double k = std::log((-std::expm1(-epsilon) + 2 * delta * a) / ((1 + a) * delta)) / epsilon;
  return static_cast<std::uint64_t>(std::max(std::ceil(k), 1.0));
}

// A z with P(N > z) <= tail for N of the standard normal law, about the smallest. P(X > z sigma) <= tail for the
// discrete Gaussian of that sigma as well. Source: Canonne, Kamath, Steinke (2020), proposition 25: P(X >= m) <= P(N
// sigma >= m - 1).
Real normal_quantile_above(const Real& tail) {
  const auto chance = [](const Real& z) { return erfc(z / sqrt(Real(2))) / 2; };
  const auto target = static_cast<double>(tail);
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::numbers::sqrt2) / 2 > target ? low : high) = middle;
  }
  for (double part = 0x1p-40;; part *= 2) {
    const Real z = high * (1 + part);
    if (chance(z) <= tail) return z;
  }
}

Real variance_of(const noise::DiscreteGaussian& law) { return ldexp(Real(law.mantissa), law.exponent); }

// Of weights whose joint change is a whole one at most, by the bound of independent discrete Gaussians.
noise::DiscreteGaussian noise_of(Epsilon epsilon, Delta delta) {
  constexpr auto kWhole = static_cast<noise::Uint128>(WeightedSelection::kWhole);
  Mechanism gaussian = parse("gaussian(delta=1e-6)");
  gaussian.values[0] = delta;
  const Changes changes{2, 2 * kWhole, kWhole, kWhole};  // several coordinates, of whose change the l2 is known
  return std::get<noise::DiscreteGaussian>(calibrate(gaussian, epsilon, changes, Lattice::integer).law);
}

// The noise that may have all of delta beside a threshold that has all of it as well; nothing where that is not proven.
std::optional<noise::DiscreteGaussian> noise_beside_threshold(Epsilon epsilon, Delta delta) {
  if (epsilon.value() > 50 || delta.value() > 0.01) return std::nullopt;
  const Real whole = WeightedSelection::kWhole, e = Real(epsilon.nano) / Epsilon::kPerUnit;
  const Real most = Real(delta.atto) / Delta::kPerUnit * (1 - Real("1e-30"));
  const double up = std::exp(epsilon.value());
  const auto suffices = [&](double sigma) {  // of a whole one, in doubles
    const auto above = [](double z) { return std::erfc(z / std::numbers::sqrt2) / 2; };
    const double centre = epsilon.value() * sigma, shift = 0.5 / sigma;
    return above(centre - shift) - up * above(centre + shift) <= delta.value();
  };
  double high = 1, low = 0;
  while (!suffices(high)) low = high, high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (suffices(middle) ? high : low) = middle;
  }
  constexpr double kBeside = 16;  // the variance that makes numbers whole
  for (double part = 0x1p-44; part < 0.1; part *= 2) {
    const double wanted = std::ldexp(high * high, 40) * (1 + part) + kBeside;
    int exponent;
    const double mantissa = std::ceil(std::ldexp(std::frexp(wanted, &exponent), 53));
    const auto law = noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(mantissa), exponent - 53);
    const Real variance = variance_of(law) - kBeside, mu2 = whole * whole / variance;
    if (mu2 + mu2 * mu2 / 4 > e * e || mu2 / 2 + Real(2 * delta.atto) / Delta::kPerUnit > e) return std::nullopt;
    if (delta_of_continuous(variance, whole, epsilon) <= most) return law;
  }
  return std::nullopt;
}

}  // namespace

bool PartitionSelection::keeps(noise::BitSource& bits, noise::Uint128 units) const {
  return units > static_cast<noise::Uint128>(static_cast<noise::Int128>(law.bound) - law.sample(bits));
}

std::int64_t WeightedSelection::weight(std::int64_t groups) {
  const std::int64_t square = kWhole * kWhole / groups;  // the root of its floor is that of the quotient
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

bool WeightedSelection::keeps(noise::BitSource& bits, noise::Int128 weights) const {
  return weights > threshold - law.sample(bits);
}

std::uint64_t WeightedSelection::even_chance() const { return static_cast<std::uint64_t>(threshold / kWhole + 1); }

WeightedSelection weighted_selection(Epsilon epsilon, Delta delta) {
  const Delta half{delta.atto / 2};
  if (half.atto == 0)
    throw Error("private selection of groups needs a delta of at least 2e-18",
                "Choose one far below 1 / number of units, for example 1e-9.");
  const auto shared = noise_beside_threshold(epsilon, delta);
  const noise::DiscreteGaussian law = shared ? *shared : noise_of(epsilon, half);
  const Real sigma = sqrt(variance_of(law));
  const Real most = Real(shared ? delta.atto : half.atto) / Delta::kPerUnit;
  noise::Int128 threshold = 0;
  // Between two powers of 2 the weight is that of the fewest groups, and the chances are those of the most.
  for (std::int64_t fewest = 1, last = 1; last <= WeightedSelection::kMostGroups; fewest = last + 1, last *= 2) {
    const Real distance = ceil(sigma * normal_quantile_above(most / last));
    threshold = std::max(threshold, static_cast<noise::Int128>(WeightedSelection::weight(fewest)) +
                                        static_cast<noise::Int128>(static_cast<unsigned __int128>(distance)));
  }
  return {law, threshold};
}

PartitionSelection partition_selection(Epsilon epsilon, Delta delta) {
  if (delta.atto == 0) {
    throw Error("private selection of groups needs a delta above 0",
                "Choose one far below 1 / number of units, for example 1e-9.");
  }
  const Real most = Real(delta.atto) / Delta::kPerUnit;
  std::uint64_t k = guess(epsilon.value(), delta.value());
  while (highest_delta(epsilon, k) > most) ++k;
  while (k > 1 && highest_delta(epsilon, k - 1) <= most) --k;
  return {{{epsilon.per(1)}, k}};
}

}  // namespace dp::mechanism
