#include "core/mechanism/gg/power_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/mechanism/error.h"
#include "core/noise/generalised_gaussian.h"
#include "core/noise/interrupt.h"
#include "core/number/euler_maclaurin.h"
#include "core/number/special_functions.h"

namespace dp::mechanism {
namespace {

using noise::Int128;

constexpr unsigned kMaxPower = noise::GeneralisedGaussian::kMaxPower;
constexpr int kOrder = 12;

// Far above what 50 digits round in at most a thousand operations here, far below any delta that is asked.
const Real& slack() {
  static const Real value("1e-30");
  return value;
}

// The n-th derivative of e^{-u^p} is H_n(u) e^{-u^p}; [p][n][k] is H_n's coefficient at u^{n(p-1) - kp}.
// H_0 = 1, H_{n+1} = H_n' - p u^{p-1} H_n. All coefficients fit 128 bits: an overflow would not compile.
struct Derivatives {
  Int128 of[kMaxPower + 1][kOrder + 1][kOrder + 1];
};
constexpr Derivatives kDerivatives = [] {
  Derivatives table{};
  auto& h = table.of;
  for (int p = 1; p <= static_cast<int>(kMaxPower); ++p) {
    h[p][0][0] = 1;
    for (int n = 0; n < kOrder; ++n) {
      for (int k = 0; k <= n; ++k) {
        h[p][n + 1][k] -= p * h[p][n][k];
        h[p][n + 1][k + 1] += (n * (p - 1) - k * p) * h[p][n][k];
      }
    }
  }
  return table;
}();

template <class Number>
Number number(Int128 value) {
  using std::ldexp;
  const auto magnitude = static_cast<noise::Uint128>(value < 0 ? -value : value);
  const auto high = static_cast<std::uint64_t>(magnitude >> 64), low = static_cast<std::uint64_t>(magnitude);
  const Number found = ldexp(static_cast<Number>(high), 64) + static_cast<Number>(low);
  return value < 0 ? Number(-found) : found;
}

template <class Number>
Number whole_power(Number base, unsigned exponent) {
  Number result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

template <class Number>
Number any_power(const Number& base, Power p) {
  using std::pow;
  if (p.is_whole()) return whole_power(base, p.num);
  return base == 0 ? Number(0) : Number(pow(base, Number(p.num) / p.den));
}

// The same coefficients where p is a fraction, for n <= kOrder.
template <class Number>
using Coefficients = std::array<std::array<Number, kOrder + 1>, kOrder + 1>;
template <class Number>
Coefficients<Number> coefficients_of(Power power) {
  const Number p = Number(power.num) / power.den;
  Coefficients<Number> h{};
  h[0][0] = 1;
  for (int n = 0; n < kOrder; ++n) {
    for (int k = 0; k <= n; ++k) {
      h[n + 1][k] -= p * h[n][k];
      h[n + 1][k + 1] += (n * (p - 1) - k * p) * h[n][k];
    }
  }
  return h;
}

// H_n(u), by Horner's rule in u^p: the exponents fall by p.
template <class Number>
Number derivative(unsigned p, int n, const Number& u) {
  const auto& coefficients = kDerivatives.of[p][n];
  const int steps = n * static_cast<int>(p - 1) / static_cast<int>(p);
  const Number up = whole_power(u, p);
  Number sum = 0;
  for (int k = 0; k <= steps; ++k) sum = sum * up + number<Number>(coefficients[k]);
  return sum * whole_power(u, n * (p - 1) - steps * p);
}

// The same of a fraction and u > 0: n terms, the last of them u^{p-n}.
template <class Number>
Number derivative(const std::array<Number, kOrder + 1>& coefficients, int n, const Number& u, const Number& up) {
  Number sum = 0;
  for (int k = 0; k < n; ++k) sum = sum * up + coefficients[k];
  return sum * up / whole_power(u, n);
}

// The Euler-Maclaurin terms of odd derivatives at u, without the factor e^{-u^p}; of a fraction p at u > 0.
template <class Number>
Number corrections(Power p, const Number& b, const Number& u) {
  static const std::array<Number, kOrder / 2 + 1> weights = [] {
    std::array<Number, kOrder / 2 + 1> found{};
    for (int k = 1; 2 * k <= kOrder; ++k) {
      found[k] = euler_maclaurin_weight<Number>(k);
    }
    return found;
  }();
  const auto h = p.is_whole() ? Coefficients<Number>{} : coefficients_of<Number>(p);
  const Number up = any_power(u, p);
  const Number inverse = 1 / b;
  Number factor = inverse;
  Number sum = 0;
  for (int k = 1; 2 * k <= kOrder; ++k) {
    const int n = 2 * k - 1;
    sum += weights[k] * (p.is_whole() ? derivative(p.num, n, u) : derivative(h[n], n, u, up)) * factor;
    factor *= inverse * inverse;
  }
  return sum;
}

// At least e^x Gamma(s, x), x > 0 unless s > 0. For x >= 100 and s < 12 that is at most x^{s-1} / (1 - 11/x); for
// s <= 1 at most x^{s-1}, as t^{s-1} falls, and for s < 0 at most x^s / -s, as e^{x-t} is at most 1.
double scaled_gamma_bound(double s, double x) {
  if (x >= 100) return std::pow(x, s - 1) * 1.13;
  if (s > 0) return std::exp(x) * upper_gamma(s, x);
  return s < 0 ? std::min(std::pow(x, s - 1), std::pow(x, s) / -s) : std::pow(x, s - 1);
}

// A bound on the remainder of the formula on any range from u*b on, over e^{-u^p}: 2 zeta(12)/(2 pi)^12 times the
// integral of the absolute 12th derivative, in which |H_12| is at most the polynomial with all its coefficients made
// positive. In doubles, which are widened by more than they can round.
double remainder_bound(Power power, double b, double u) {
  const double p = power.value();
  const double x = std::pow(u, p);
  const auto h = power.is_whole() ? Coefficients<double>{} : coefficients_of<double>(power);
  double sum = 0;
  for (int k = 0; k < kOrder; ++k) {
    if (power.is_whole() && k * p > kOrder * (p - 1)) break;
    const double coefficient =
        std::fabs(power.is_whole() ? static_cast<double>(kDerivatives.of[power.num][kOrder][k]) : h[kOrder][k]);
    const double s = (kOrder * (p - 1) - k * p + 1.0) / p;
    sum += coefficient * scaled_gamma_bound(s, x) / p;
  }
  return 1.01 * 2.001 * sum / std::pow(2 * std::numbers::pi, kOrder) / std::pow(b, kOrder - 1);
}

// A sum and how far off it may be beside rounding.
template <class Number>
struct Sum {
  Number value;
  Number error;
};

// Few terms matter where b is small, or where neighbours differ much, which is where the formula converges badly.
bool few_terms(Power power, double b, double n) {
  const double p = power.value();
  return b < 8 * p || p * std::pow(n / b, p - 1.0) > 0.3 * b;
}

// From here on the formula holds for a fraction p, whose weights have no higher derivatives at 0.
template <class Number>
constexpr double kSmoothFrom = std::is_same_v<Number, Real> ? 256 : 64;

constexpr double kAllTerms = std::numeric_limits<double>::infinity();

// Where few terms matter these are far fewer; more means parameters at which the terms no longer differ in a double.
constexpr double kMostTerms = 1e6;

[[noreturn]] void refuse_terms() {
  throw Error("noise is too wide or too narrow to be summed exactly", "Use a less extreme epsilon, delta, p or range.");
}

// Sum of e^{(n/b)^p - (x/b)^p} over x = n, ..., n + count - 1, until the rest is nothing. The ratio of neighbours falls
// with x, so the rest is at most a geometric series.
Sum<double> summed(Power power, double b, double n, double count) {
  const double p = power.value();
  double sum = 0, term = 1;
  const double start = std::pow(n / b, p);
  for (double k = 0; k < count; ++k) {
    const double grown = n > 0 ? start * std::expm1(p * std::log1p(k / n)) : std::pow(k / b, p);
    term = std::exp(-grown);
    sum += term;
    if (term < sum * 1e-18) break;
    if (std::isnan(term) || k > kMostTerms) refuse_terms();
    noise::check_interrupt();
  }
  return {sum, 0};
}

// The same in 50 digits, of a fraction p: term by term.
Sum<Real> summed_fractions(Power p, const Real& b, const Real& n, double count) {
  const Real scale = any_power(b, p), start = any_power(n, p);
  Real sum = 0, term = 1;
  for (double k = 0; k < count; ++k) {
    sum += term;
    const Real next = exp((start - any_power(Real(n + k + 1), p)) / scale);
    if (next < sum * slack()) return {sum, next / (1 - next / term)};
    if (k > kMostTerms) refuse_terms();
    noise::check_interrupt();
    term = next;
  }
  return {sum, 0};
}

// The same of a whole p. ratios[k] = e^{-d_k}, d_k the k-th difference of (x/b)^p; going on by one multiplies each
// ratio by the next, so that only the first term needs exponentials. d_k at n is the sum of C(p,j) n^{p-j}
// surjections(j,k) / b^p.
Sum<Real> summed(Power power, const Real& b, const Real& n, double count) {
  if (!power.is_whole()) return summed_fractions(power, b, n, count);
  const unsigned p = power.num;
  std::array<std::array<Real, kMaxPower + 1>, kMaxPower + 1> surjections{};
  surjections[0][0] = 1;
  for (unsigned j = 1; j <= p; ++j) {
    for (unsigned k = 1; k <= j; ++k) surjections[j][k] = k * (surjections[j - 1][k] + surjections[j - 1][k - 1]);
  }
  const Real scale = whole_power(b, p);
  std::array<Real, kMaxPower + 1> ratios;
  for (unsigned k = 1; k <= p; ++k) {
    Real difference = 0;
    for (unsigned j = k; j <= p; ++j) {
      difference += factorial(p) / factorial(j) / factorial(p - j) * whole_power(n, p - j) * surjections[j][k];
    }
    ratios[k] = exp(-difference / scale);
  }
  Real sum = 0, term = 1;
  for (double k = 0; k < count; ++k) {
    sum += term;
    term *= ratios[1];
    for (unsigned j = 1; j < p; ++j) ratios[j] *= ratios[j + 1];
    if (term < sum * slack()) return {sum, term / (1 - ratios[1])};
    if (k > kMostTerms) refuse_terms();
    noise::check_interrupt();
  }
  return {sum, 0};
}

// e^x Gamma(s, x) x^{1 - s}, s = 1/p, for large x, by its asymptotic series. The terms alternate and what is left out
// is less than the next one, 8!/x^8 (DLMF 8.11.2): nothing in a double from x = 600 on, below slack() from 10^6 on.
template <class Number>
Number asymptotic_gamma(const Number& s, const Number& x) {
  Number sum = 0, term = 1;
  for (int k = 1; k <= 8; ++k) {
    sum += term;
    term *= (s - k) / x;
  }
  return sum;
}

// e^x Gamma(s, x), which neither underflows nor overflows.
double scaled_gamma(double s, double x) {
  if (x < 600) return std::exp(x) * upper_gamma(s, x);
  return asymptotic_gamma(s, x) * std::pow(x, s - 1);
}
Real scaled_gamma(const Real& s, const Real& x) {
  if (x < 1e6) return exp(x) * upper_gamma(s, x);
  return asymptotic_gamma(s, x) * pow(x, s - 1);
}

template <class Number>
Number inverse_of(Power p) {
  return Number(p.den) / p.num;
}

// Sum over x >= n of e^{(n/b)^p - (x/b)^p}.
template <class Number>
Sum<Number> scaled_tail(Power p, const Number& b, const Number& n) {
  const auto scale = static_cast<double>(b);
  const auto first = static_cast<double>(n);
  if (few_terms(p, scale, first)) return summed(p, b, n, kAllTerms);
  if (!p.is_whole() && first < kSmoothFrom<Number>) {
    using std::exp;
    const Number from = kSmoothFrom<Number>;
    const Sum<Number> before = summed(p, b, n, kSmoothFrom<Number> - first);
    const Sum<Number> after = scaled_tail(p, b, from);
    const Number share = exp((any_power(n, p) - any_power(from, p)) / any_power(b, p));
    return {before.value + share * after.value, before.error + share * after.error};
  }
  const Number u = n / b, s = inverse_of<Number>(p);
  const Number value = b * scaled_gamma(s, any_power(u, p)) * s + Number(0.5) - corrections(p, b, u);
  return {value, Number(remainder_bound(p, scale, static_cast<double>(u)))};
}

template <class Number>
Sum<Number> head_sum(Power p, const Number& b, const Number& n) {
  const auto scale = static_cast<double>(b);
  const auto last = static_cast<double>(n);
  const double from = p.is_whole() ? 0 : kSmoothFrom<Number>;
  if (last < 64 + 2 * from || scale < 8 * p.value()) return summed(p, b, Number(0), last + 1);
  const Number u = n / b, first = from / b, s = inverse_of<Number>(p);
  const Number x = any_power(u, p), x_first = any_power(first, p);
  // From here on, what the range leaves out is below any slack.
  if (x > 700) return scaled_tail(p, b, Number(0));
  using std::exp;
  const Number end = exp(-x), begin = exp(-x_first);
  const Number integral = lower_gamma(s, x) - (from > 0 ? lower_gamma(s, x_first) : Number(0));
  const Number value =
      b * integral * s + (begin + end) / 2 + end * corrections(p, b, u) - begin * corrections(p, b, first);
  const Number before = from > 0 ? summed(p, b, Number(0), from).value : Number(0);
  return {before + value, Number(remainder_bound(p, scale, static_cast<double>(first)))};
}

Bounds widen(const Sum<Real>& sum) {
  return {std::max<Real>((sum.value - sum.error) * (1 - slack()), 0), (sum.value + sum.error) * (1 + slack())};
}

}  // namespace

Real power_of(const Real& base, Power p) { return any_power(base, p); }

double log_tail(Power p, double b, double n) {
  return std::log(scaled_tail(p, b, n).value) - std::pow(n / b, p.value());
}

double log_scaled_tail(Power p, double b, double n) { return std::log(scaled_tail(p, b, n).value); }

double head(Power p, double b, double n) { return head_sum(p, b, n).value; }

double log_upper(Power p, double b, double n) {
  const double total = 2 * scaled_tail(p, b, 0.0).value - 1;
  if (n > 0) return log_tail(p, b, n) - std::log(total);
  return std::log1p(-std::exp(log_tail(p, b, 1 - n)) / total);
}

Bounds scaled_tail_bounds(Power p, const Real& b, const Real& n) { return widen(scaled_tail(p, b, n)); }

Bounds tail_bounds(Power p, const Real& b, const Real& n) {
  const Real first = exp(-any_power(Real(n / b), p));
  const Bounds scaled = scaled_tail_bounds(p, b, n);
  return {first * scaled.low * (1 - slack()), first * scaled.high * (1 + slack())};
}

Bounds head_bounds(Power p, const Real& b, const Real& n) { return widen(head_sum(p, b, n)); }

Bounds upper_bounds(Power p, const Real& b, const Real& n, const Bounds& from_zero) {
  const Real least = 2 * from_zero.low - 1, most = 2 * from_zero.high - 1;
  if (n > 0) {
    const Bounds tail = tail_bounds(p, b, n);
    return {tail.low / most, tail.high / least};
  }
  const Bounds beyond = tail_bounds(p, b, 1 - n);
  return {std::max<Real>(1 - beyond.high / least, 0), 1 - beyond.low / most};
}

double log_continuous_tail(double p, double u) {
  const double x = std::pow(u, p);
  if (x < 600) return std::log(upper_gamma_share(1.0 / p, x));
  return log_scaled_continuous_tail(p, u) - x;
}

double log_scaled_continuous_tail(double p, double u) {
  const double x = std::pow(u, p);
  const double whole = std::lgamma(1.0 / p);
  if (x < 600) return std::log(scaled_gamma(1 / p, x)) - whole;
  return std::log(asymptotic_gamma(1 / p, x)) - (p - 1) * std::log(u) - whole;
}

}  // namespace dp::mechanism
