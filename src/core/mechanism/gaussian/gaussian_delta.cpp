#include "core/mechanism/gaussian/gaussian_delta.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "core/noise/interrupt.h"
#include "core/number/euler_maclaurin.h"

namespace dp::mechanism {
namespace {

// Far above what 50 digits round in the at most few thousand operations here, far below any delta that is asked.
const Real& slack() {
  static const Real value("1e-30");
  return value;
}

struct Bounds {
  Real low;
  Real high;
};

Bounds widen(const Real& low, const Real& high) { return {low * (1 - slack()), high * (1 + slack())}; }

// Upper Gaussian integral: the integral of e^{-t^2/2} from u.
Real gaussian_integral(const Real& u) {
  static const Real root_half_pi = sqrt(Real::pi() / 2), root_two = sqrt(Real(2));
  return root_half_pi * erfc(u / root_two);
}

// Sum of e^{-x^2/(2v)} over x = a, a+1, ..., a >= 0, term by term until the rest, a geometric series at most, is
// nothing.
Bounds summed_tail(const Real& a, const Real& v) {
  Real term = exp(-a * a / (2 * v));
  Real ratio = exp(-(2 * a + 1) / (2 * v));
  const Real shrink = exp(-1 / v);
  Real sum = 0;
  while (term > sum * slack()) {
    noise::check_interrupt();
    sum += term;
    term *= ratio;
    ratio *= shrink;
  }
  return widen(sum, sum + term / (1 - ratio));
}

// The same by the Euler-Maclaurin formula up to the 11th derivative. The derivatives are Hermite polynomials He_n(u)
// over sigma^n; the remainder is at most 2 zeta(12)/(2 pi)^12 times the integral of the absolute 12th derivative, in
// which |He_12| is at most the polynomial with all its coefficients made positive.
Bounds euler_maclaurin_tail(const Real& a, const Real& v) {
  constexpr int kOrder = 12;
  const Real sigma = sqrt(v);
  const Real u = a / sigma;
  const Real density = exp(-u * u / 2);
  const Real integral = gaussian_integral(u);

  std::array<Real, kOrder> hermite;
  hermite[0] = 1;
  hermite[1] = u;
  for (int n = 1; n + 1 < kOrder; ++n) hermite[n + 1] = u * hermite[n] - n * hermite[n - 1];
  Real sum = sigma * integral + density / 2;
  for (int k = 1; 2 * k <= kOrder; ++k) {
    sum += euler_maclaurin_weight<Real>(k) * hermite[2 * k - 1] * density / pow(sigma, 2 * k - 1);
  }

  // moments[n]: the integral of t^n e^{-t^2/2} from u, n even. |He_12|(t) <= sum of 12!/((12-n)/2)! n! 2^{(12-n)/2})
  // t^n.
  Real moment = integral;
  Real absolute = 0;
  for (int n = 0; n <= kOrder; n += 2) {
    if (n > 0) moment = pow(u, n - 1) * density + (n - 1) * moment;
    const int half = (kOrder - n) / 2;
    absolute += moment * Real(factorial(kOrder)) / (Real(factorial(half)) * factorial(n) * pow(Real(2), half));
  }
  const Real remainder = Real("2.001") * absolute / pow(2 * Real::pi(), kOrder) / pow(sigma, kOrder - 1);
  return widen(std::max<Real>(sum - remainder, 0), sum + remainder);
}

Bounds tail(const Real& a, const Real& v) {
  // Where neighbouring terms differ much, few terms matter and the formula converges badly.
  if (v <= 256 || 2 * a > v) return summed_tail(a, v);
  return euler_maclaurin_tail(a, v);
}

// Sum over all x >= a for any whole a, given the tail from zero.
Bounds tail_from(const Real& a, const Real& v, const Bounds& from_zero) {
  if (a >= 0) return tail(a, v);
  const Bounds beyond = tail(1 - a, v);
  return {2 * from_zero.low - 1 - beyond.high, 2 * from_zero.high - 1 - beyond.low};
}

Real exact(Epsilon epsilon) { return Real(epsilon.nano) / Epsilon::kPerUnit; }

}  // namespace

Real delta_of_shift(const Real& variance, const Real& shift, Epsilon epsilon) {
  const Real e = exact(epsilon);
  const Real first = floor(e * variance / shift - shift / 2) + 1;
  const Bounds from_zero = tail(0, variance);
  const Bounds near = tail_from(first, variance, from_zero);
  const Bounds far = tail_from(first + shift, variance, from_zero);
  const Real excess = near.high - exp(e) * far.low + near.high * slack();
  return std::max<Real>(excess, 0) / (2 * from_zero.low - 1);
}

Real delta_of_joint(const Real& variance, const Real& l2, Epsilon epsilon) {
  const Real rho = l2 * l2 / (2 * variance);
  const Real e = exact(epsilon);
  // ln delta at Renyi order t = 1 + s: any s > 0 gives a valid bound, so doubles may look for the best one.
  const auto log_delta = [](const auto& s, const auto& r, const auto& eps) {
    using std::log, std::log1p;
    return s * ((1 + s) * r - eps) - log(s) - (1 + s) * log1p(1 / s);
  };
  const auto rho_d = static_cast<double>(rho);
  const auto e_d = static_cast<double>(e);
  const auto at = [&](double log_s) { return log_delta(std::exp(log_s), rho_d, e_d); };
  const double best = boost::math::tools::brent_find_minima(at, -60.0, 90.0, 40).first;
  return exp(log_delta(exp(Real(best)), rho, e)) * (1 + slack());
}

Real delta_of_continuous(const Real& variance, const Real& shift, Epsilon epsilon) {
  const Real e = exact(epsilon);
  const Real sigma = sqrt(variance);
  const Real centre = e * sigma / shift;
  const Real half = shift / (2 * sigma);
  return (gaussian_integral(centre - half) - exp(e) * gaussian_integral(centre + half)) / sqrt(2 * Real::pi());
}

}  // namespace dp::mechanism
