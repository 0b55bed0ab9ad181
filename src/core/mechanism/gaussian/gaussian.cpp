// gaussian(delta=...): discrete Gaussian noise at the smallest sigma that is certified (epsilon, delta)-private.
//
// Source: Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020); Balle, Wang (2018) for the
// continuous figures of dp_describe. One coordinate is calibrated to the exact delta of its integer law; several
// coordinates to the joint l2 norm through Renyi divergence. The search runs in doubles and proves nothing: what it
// finds is rounded up to mantissa * 2^exponent and enlarged until gaussian_delta.h certifies that very number.
//
// definition=approximate is the above. definition=classic is sigma = sqrt(2 ln(1.25/delta)) l2/epsilon (Dwork, Roth,
// "The Algorithmic Foundations of Differential Privacy" (2014), theorem A.1), proven for epsilon up to 1 and for
// continuous noise only, so an error beyond and certified all the same. definition=probabilistic bounds the probability
// that the loss exceeds epsilon (generalised_gaussian_delta.h with p = 2); its proof is for one coordinate, so m
// coordinates that change at once get epsilon/m and delta/m each, which is enough by the union bound.
//
// Without a delta sigma is l2/epsilon, so that Rényi divergences are those that any epsilon-private answer has at most:
// alpha epsilon^2 / 2 at order alpha (core/noise/gaussian_path.h). Whole numbers are cut as those of laplace are.
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/gaussian/gaussian_delta.h"
#include "core/mechanism/gaussian/gaussian_shape.h"
#include "core/mechanism/gg/generalised_gaussian_delta.h"
#include "core/mechanism/split_epsilon.h"

namespace dp::mechanism {
namespace {

using DeltaOfVariance = Real (*)(const Real& variance, const Real& change, Epsilon);

constexpr std::string_view kDefinitions[] = {"approximate", "probabilistic", "classic"};
constexpr Key kKeys[] = {{"delta", Key::Type::delta, {}, false}, {"definition", Key::Type::choice, kDefinitions}};

bool is(const Mechanism& m, std::string_view definition) {
  return kDefinitions[std::get<Choice>(m.values[1]).index] == definition;
}

void check_gaussian(const Mechanism& m) {
  if (delta_of(m).atto != 0 || is(m, "approximate")) return;
  const std::string definition(kDefinitions[std::get<Choice>(m.values[1]).index]);
  throw Error(ErrorCode::invalid_text_representation, "gaussian(definition=" + definition + ") needs delta",
              "For example gaussian(delta=1e-6, definition=" + definition + ").");
}

Real exact(Delta delta) { return Real(delta.atto) / Delta::kPerUnit; }

Real probabilistic_delta(const Real& variance, const Real& change, Epsilon epsilon) {
  return certified_delta(Definition::probabilistic, 2, sqrt(Real(2 * variance)), change, epsilon);
}

// sigma/l2 of the classic mechanism. Throws dp::Error where it is not proven.
double classic_sigma(Epsilon epsilon, Delta delta) {
  if (epsilon.nano > Epsilon::kPerUnit) {
    throw Error("epsilon must be at most 1 for gaussian(definition=classic), not " + decimal(epsilon.value()),
                "Leave definition out: approximate is valid for every epsilon and needs less noise.");
  }
  return std::sqrt(2 * std::log(1.25 / delta.value())) / epsilon.value();
}

// About the smallest variance at which `delta_of` falls to delta.
double find_variance(DeltaOfVariance delta_of, const Real& change, Epsilon epsilon, Delta delta) {
  const double target = std::log(delta.value());
  const auto excess = [&](double variance) {
    const Real at = delta_of(variance, change, epsilon);
    return (at > 0 ? static_cast<double>(Real(log(at))) : -1e6) - target;
  };
  const double size = static_cast<double>(change);
  const double e = epsilon.value();
  const double guess = size * size * (1 / (2 * e) + 2 * std::log(1.25 / delta.value()) / (e * e));
  std::uintmax_t iterations = 200;
  return boost::math::tools::bracket_and_solve_root(excess, guess, 2.0, false,
                                                    boost::math::tools::eps_tolerance<double>(44), iterations)
      .second;
}

// The found variance as mantissa * 2^exponent, enlarged by 2^-40 and then by ever greater parts until it is certified.
noise::DiscreteGaussian certify(DeltaOfVariance delta_of, const Real& change, Epsilon epsilon, Delta delta,
                                double variance) {
  for (double enlarged = variance, part = 0x1p-40;; enlarged *= 1 + part, part *= 2) {
    int exponent;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(enlarged, &exponent), 53));
    const Real sampled = ldexp(Real(mantissa), exponent - 53);
    if (delta_of(sampled, change, epsilon) <= exact(delta)) {
      return noise::DiscreteGaussian::with_variance(mantissa, exponent - 53);
    }
  }
}

Calibration calibrate_level(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  const unsigned refinement = lattice == Lattice::integer ? changes.refinement() : 0;
  return {m, noise::GaussianLevel::with(changes.l2_in_parts(refinement), epsilon.nano), refinement};
}

Calibration calibrate_gaussian(const Mechanism& m, Epsilon epsilon, const Changes& changes, Lattice lattice) {
  if (is_without_delta(m)) return calibrate_level(m, epsilon, changes, lattice);
  const Delta delta = mechanism::delta_of(m);
  if (is(m, "probabilistic")) {
    const Shares share = share_of(epsilon, delta, changes.coordinates);
    const auto change = static_cast<double>(changes.linf);
    const double b = find_scale(Definition::probabilistic, 2, change, share.epsilon, share.delta);
    return {m, certify(probabilistic_delta, Real(changes.linf), share.epsilon, share.delta, b * b / 2), 0};
  }
  const DeltaOfVariance delta_of = changes.coordinates == 1 ? delta_of_shift : delta_of_joint;
  const Real change = Real(changes.coordinates == 1 ? changes.linf : changes.l2);
  if (is(m, "classic")) {
    const double sigma = classic_sigma(epsilon, delta) * static_cast<double>(change);
    return {m, certify(delta_of, change, epsilon, delta, sigma * sigma), 0};
  }
  if (changes.coordinates == 1) {
    const double b = find_scale(Definition::approximate, 2, static_cast<double>(change), epsilon, delta);
    return {m, certify(delta_of, change, epsilon, delta, b * b / 2), 0};
  }
  return {m, certify(delta_of, change, epsilon, delta, find_variance(delta_of, change, epsilon, delta)), 0};
}

// sigma of the continuous law at sensitivity 1.
double continuous_sigma(const Mechanism& m, Epsilon epsilon) {
  const Delta delta = delta_of(m);
  if (is_without_delta(m)) return 1 / epsilon.value();
  if (is(m, "classic")) return classic_sigma(epsilon, delta);
  if (is(m, "probabilistic")) {
    return continuous_scale(Definition::probabilistic, 2, epsilon, delta) / std::numbers::sqrt2;
  }
  return std::sqrt(find_variance(delta_of_continuous, 1, epsilon, delta));
}

Loss continuous_loss(double sigma) {
  return {sigma, sigma * std::sqrt(2 / std::numbers::pi), sigma * sigma,
          std::log2(sigma * std::sqrt(2 * std::numbers::pi * std::numbers::e)), sigma * 1.959963984540054};
}

// Of the continuous law rounded to whole numbers: P(|K| > n) adds up to E|K|, and (2n + 1) P(|K| > n) to E K^2.
Loss rounded_loss(double sigma) {
  Loss rounded = continuous_loss(sigma);
  if (sigma > 1000) {
    rounded.expected_sq += 1 / 12.0;
    rounded.interval95 = std::round(rounded.interval95);
    return rounded;
  }
  const auto tail = [sigma](double n) { return std::erfc((n + 0.5) / (sigma * std::numbers::sqrt2)); };
  rounded.expected_abs = rounded.expected_sq = rounded.entropy_bits = 0;
  double below = 1;  // P(|K| >= n)
  for (double n = 0; below > 0 && n <= std::ceil(sigma * 40) + 2; ++n) {
    const double beyond = tail(n), at = below - beyond;
    rounded.expected_abs += beyond;
    rounded.expected_sq += (2 * n + 1) * beyond;
    if (at > 0) rounded.entropy_bits -= at * std::log2(n == 0 ? at : at / 2);
    below = beyond;
  }
  rounded.interval95 = integer_interval95(tail);
  return rounded;
}

Description describe_gaussian(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  const bool whole = lattice == Lattice::integer;
  if (whole && is_without_delta(m)) {
    const double sigma = continuous_sigma(m, epsilon) * sensitivity;
    const GaussianShape shape = rounded_shape(sigma);
    return {m, rounded_loss(sigma), shape.within, shape.phi};
  }
  if (whole) {
    const auto changes = Changes::one(static_cast<noise::Uint128>(sensitivity));
    const auto law = std::get<noise::DiscreteGaussian>(calibrate_gaussian(m, epsilon, changes, lattice).law);
    const GaussianShape shape = discrete_shape(law);
    return {m, loss(law), shape.within, shape.phi};
  }
  const double sigma = continuous_sigma(m, epsilon) * sensitivity;
  const GaussianShape shape = continuous_shape(sigma);
  return {m, continuous_loss(sigma), shape.within, shape.phi};
}

}  // namespace

Loss loss(const noise::DiscreteGaussian& law) {
  const double variance = std::ldexp(static_cast<double>(law.mantissa), law.exponent);
  const double sigma = std::sqrt(variance);
  if (sigma > 1000) {
    // Poisson summation: the normaliser and E x^2 are the continuous ones up to e^{-2 pi^2 sigma^2}; for E|x| the
    // Euler-Maclaurin formula gives sigma sqrt(2/pi) (1 - 1/(12 sigma^2)) up to sigma^-4.
    Loss continuous = continuous_loss(sigma);
    continuous.expected_abs *= 1 - 1 / (12 * variance);
    continuous.interval95 = std::round(continuous.interval95);
    return continuous;
  }
  double total = 1, sum_abs = 0, sum_sq = 0;
  const double last = std::ceil(sigma * 40) + 2;
  for (double x = last; x >= 1; --x) {
    const double weight = 2 * std::exp(-x * x / (2 * variance));
    total += weight;
    sum_abs += weight * x;
    sum_sq += weight * x * x;
  }
  const double expected_sq = sum_sq / total;
  double within = 1, interval = 0;
  while (within < 0.95 * total) {
    ++interval;
    within += 2 * std::exp(-interval * interval / (2 * variance));
  }
  const double entropy = std::log2(total) + expected_sq / (2 * variance * std::numbers::ln2);
  return {sigma, sum_abs / total, expected_sq, entropy, interval};
}

Within within(const noise::DiscreteGaussian& law) { return discrete_shape(law).within; }

namespace {

// About, for reports.
noise::DiscreteGaussian dyadic(const noise::GaussianLevel& law) {
  int exponent;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(law.sigma() * law.sigma(), &exponent), 53));
  return noise::DiscreteGaussian::with_variance(mantissa, exponent - 53);
}

}  // namespace

Loss loss(const noise::GaussianLevel& law) { return loss(dyadic(law)); }

Within within(const noise::GaussianLevel& law) { return within(dyadic(law)); }

bool is_without_delta(const Mechanism& mechanism) {
  return mechanism.family == &kGaussian && delta_of(mechanism).atto == 0;
}

const Family kGaussian{"gaussian",     "gaussian(delta=1e-6)", kKeys,
                       check_gaussian, calibrate_gaussian,     describe_gaussian};

}  // namespace dp::mechanism
