#include "core/mechanism/gg/generalised_gaussian_delta.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "core/mechanism/error.h"

namespace dp::mechanism {
namespace {

// ln of a delta that is zero or below: what is left of it after rounding.
constexpr double kNothing = -1e9;

// ((|s + 1|^p - |s|^p) as a function of s > -1/2: the loss at s times the change, in units of (change/b)^p.
double growth(double p, double s) {
  if (p == 1) return s >= 0 ? 1 : 1 + 2 * s;
  if (s <= 0) return std::pow(1 + s, p) - std::pow(-s, p);
  return std::pow(s, p) * std::expm1(p * std::log1p(1 / s));
}

// b/change at which the loss at s times the change is epsilon. Grows with s.
double scale_at(double p, double s, double epsilon) { return std::pow(growth(p, s) / epsilon, 1.0 / p); }

// ln delta from the logarithms of both tails.
double log_delta(Definition definition, double near, double far, double epsilon) {
  if (definition == Definition::probabilistic) return near + std::log1p(std::exp(far - near));
  const double share = -std::expm1(epsilon + far - near);
  return share > 0 ? near + std::log(share) : kNothing;
}

// The s + 1/2 > 0 at which `excess(s)` falls below zero; the end on which it is.
template <class Excess>
double falling_root(Excess excess) {
  std::uintmax_t iterations = 200;
  const auto of_half = [&](double r) { return excess(r - 0.5); };
  return boost::math::tools::bracket_and_solve_root(of_half, 1.0, 4.0, false,
                                                    boost::math::tools::eps_tolerance<double>(46), iterations)
      .second;
}

// The loss at the whole number a, at or above epsilon: `target` is b^p epsilon, a little less so that rounding cannot
// hide it.
bool beyond(Power p, const Real& a, const Real& change, const Real& target) {
  return power_of(abs(Real(a + change)), p) - power_of(abs(a), p) >= target;
}

// The first whole a at which the loss is beyond epsilon: a guess in doubles, then bisection in 50 digits.
Real first_beyond(Power power, const Real& change, const Real& target) {
  const double p = power.value();
  const auto kappa = static_cast<double>(Real(target / power_of(change, power)));
  double s = p == 1 ? (kappa - 1) / 2 : std::max(std::pow(kappa / p, 1 / (p - 1.0)) - 0.5, -0.5);
  for (int i = 0; i < 4 && p > 1 && s > 0; ++i) {  // Newton's method on a convex function
    s -= (growth(p, s) - kappa) / (p * std::pow(s, p - 1.0) * std::expm1((p - 1) * std::log1p(1 / s)));
  }
  Real low = floor(Real(change * std::max(s, -0.5))), high = low;
  for (Real step = 1; beyond(power, low, change, target); step *= 2) low -= step;
  for (Real step = 1; !beyond(power, high, change, target); step *= 2) high += step;
  while (high - low > 1) {
    const Real middle = floor(Real((low + high) / 2));
    (beyond(power, middle, change, target) ? high : low) = middle;
  }
  return high;
}

Real exact(Epsilon epsilon) { return Real(epsilon.nano) / Epsilon::kPerUnit; }

}  // namespace

Real exact_scale(const noise::GeneralisedGaussian& law) { return ldexp(Real(law.mantissa), law.exponent); }

Real certified_delta(Definition definition, Power p, const Real& b, const Real& change, Epsilon epsilon) {
  static const Real of_products("1e-40"), of_roots("1e-34");
  const Real& margin = p.is_whole() ? of_products : of_roots;
  const Real target = power_of(b, p) * exact(epsilon) * (1 - margin);
  if (p == 1 && change < target) return 0;  // the loss is nowhere above change/b
  const Real first = first_beyond(p, change, target);
  const Bounds from_zero = tail_bounds(p, b, 0);
  const Bounds near = upper_bounds(p, b, first, from_zero);
  if (definition == Definition::approximate) {
    const Bounds far = upper_bounds(p, b, first + change, from_zero);
    return std::max<Real>(near.high - exp(exact(epsilon)) * far.low * (1 - margin), 0);
  }
  Real far = first + change;
  if (first <= 0) far = std::min<Real>(far, floor(Real(pow(target, Real(p.den) / p.num) * (1 - margin))) + 1);
  return near.high + upper_bounds(p, b, far, from_zero).high;
}

double continuous_scale(Definition definition, Power power, Epsilon epsilon, Delta delta) {
  const double p = power.value();
  const double e = epsilon.value(), d = delta.value();
  if (p == 1) {  // the loss never exceeds 1/b; smaller scales by the closed forms of the tails
    if (definition == Definition::approximate) return 1 / (e - 2 * std::log1p(-d));
    const double spread = -std::expm1(-e) / (2 * (1 - d));
    return 1 / (e + 2 * std::max(std::log(spread), 0.0));
  }
  const auto log_tail_at = [p](double u) {
    if (u >= 0) return log_continuous_tail(p, u) - std::log(2.0);
    return std::log1p(-std::exp(log_continuous_tail(p, -u)) / 2);
  };
  const double r = falling_root([&](double s) {
    const double b = scale_at(p, s, e);
    return log_delta(definition, log_tail_at(s / b), log_tail_at((s + 1) / b), e) - std::log(d);
  });
  return scale_at(p, r - 0.5, e);
}

double find_scale(Definition definition, Power power, double change, Epsilon epsilon, Delta delta) {
  const double p = power.value();
  const double e = epsilon.value(), target = std::log(delta.value());
  const auto log_delta_at = [&](double b, double first) {
    double far = first + change;
    if (definition == Definition::probabilistic && first <= 0)
      far = std::min(far, std::floor(b * std::pow(e, 1.0 / p)) + 1);
    return log_delta(definition, log_upper(power, b, first), log_upper(power, b, far), e);
  };
  // delta comes in waves as a passes whole numbers. It is least where the loss at some whole `last` is epsilon, so that
  // a = last + 1: there it jumps down (probabilistic) or begins to rise (approximate, where the waves show for large p
  // only), and these lowest points fall with `last`.
  const double least = std::floor(-change / 2) + 1;
  const auto scale_of = [&](double last) { return change * scale_at(p, last / change, e); };
  const auto excess = [&](double last) {
    if (p == 1 && last >= 0) return kNothing;
    return log_delta_at(scale_of(last), last + 1) - target;
  };
  const double r = falling_root([&](double s) {
    const double last = std::floor(s * change);
    return last < least ? 1e9 : excess(last);
  });
  double last = std::max(std::floor((r - 0.5) * change), least);
  while (excess(last) > 0) ++last;
  for (int i = 0; i < 3 && last > least && excess(last - 1) <= 0; ++i) --last;
  const double high = scale_of(last);
  if (definition == Definition::probabilistic) return high;
  // From the lowest point before, a = last; there delta falls to the target.
  const auto inside = [&](double b) { return log_delta_at(b, last) - target; };
  double low = last > least ? scale_of(last - 1) : high / 2;
  while (last == least && inside(low) <= 0) low /= 2;
  if (!(low < high) || inside(low) <= 0 || inside(high) > 0) return high;
  std::uintmax_t iterations = 200;
  return boost::math::tools::toms748_solve(inside, low, high, boost::math::tools::eps_tolerance<double>(46), iterations)
      .second;
}

noise::GeneralisedGaussian law_above(Power p, double b, Epsilon epsilon) {
  using Law = noise::GeneralisedGaussian;
  int exponent;
  const double fraction = std::frexp(b, &exponent);
  if (!(b > 0) || !std::isfinite(b) || exponent > Law::kMantissaBits + Law::kMaxExponent - 1 ||
      exponent < Law::kMantissaBits - Law::kMaxExponent) {
    throw Error(
        "epsilon " + decimal(epsilon.value()) + " needs noise of scale " + decimal(b) + " steps, which is out of range",
        "Use an epsilon nearer to 1, or narrower bounds.");
  }
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, Law::kMantissaBits)) + 1;
  if (mantissa >> Law::kMantissaBits != 0) return Law::with_scale(p, mantissa >> 1, exponent - Law::kMantissaBits + 1);
  return Law::with_scale(p, mantissa, exponent - Law::kMantissaBits);
}

noise::GeneralisedGaussian certified_scale(Definition definition, Power p, noise::Uint128 change, Epsilon epsilon,
                                           Delta delta) {
  const Real limit = Real(delta.atto) / Delta::kPerUnit;
  const double found = find_scale(definition, p, static_cast<double>(change), epsilon, delta);
  for (double enlarged = found, step = 0x1p-32;; step *= 8, enlarged = found * (1 + step)) {
    const auto law = law_above(p, enlarged, epsilon);
    if (certified_delta(definition, p, exact_scale(law), Real(change), epsilon) <= limit) return law;
  }
}

}  // namespace dp::mechanism
