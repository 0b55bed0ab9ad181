#include "core/bounds/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dp::bounds {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A result that is off by `error`, or by more than nothing in its direction, as the next double on the side `towards`
// where it lies on the other.
double end(double result, double error, double towards) {
  return (towards < 0 ? error < 0 : error > 0) ? std::nextafter(result, towards) : result;
}

// x + y is the sum that is rounded, and this.
double error_of_sum(double x, double y) {
  const double sum = x + y, other = sum - x;
  return (x - (sum - other)) + (y - other);
}

double sum_end(double x, double y, double towards) { return end(x + y, error_of_sum(x, y), towards); }

double product_end(double x, double y, double towards) { return end(x * y, std::fma(x, y, -(x * y)), towards); }

// Of y != 0: x / y is the quotient and the rest by y.
double quotient_end(double x, double y, double towards) {
  const double quotient = x / y, left = std::fma(-quotient, y, x);
  return end(quotient, y > 0 ? left : -left, towards);
}

// The least and the greatest of f(x, y, side) over the ends of both.
template <class End>
Bounds of_ends(const Interval& x, const Interval& y, End f) {
  double lower = kInfinity, upper = -kInfinity;
  for (const double one : {x.lower, x.upper}) {
    for (const double other : {y.lower, y.upper}) {
      lower = std::min(lower, f(one, other, -kInfinity));
      upper = std::max(upper, f(one, other, kInfinity));
    }
  }
  return make(lower, upper);
}

double outside(double end, double towards) {
  constexpr double kWhole = 9007199254740992;
  constexpr double kRoughly = 1e-15;  // the C library is off by one or two of the last places
  if (std::abs(end) < kWhole && std::trunc(end) == end) return end;
  const double moved = end + std::copysign(std::abs(end) * kRoughly, towards);
  return moved == end ? std::nextafter(end, towards) : moved;
}

// f of the ends in units of the last digit. An end that is one may come out as a little less.
template <class Whole>
Bounds to_digits(const Bounds& x, int digits, Whole f) {
  if (!x) return std::nullopt;
  const double units = std::pow(10, std::min(std::abs(digits), 300));
  const auto at = [&](double end, double towards) {
    const double scaled = outside(digits > 0 ? end * units : end / units, towards);
    return outside(digits > 0 ? f(scaled) / units : f(scaled) * units, towards);
  };
  return make(at(x->lower, -kInfinity), at(x->upper, kInfinity));
}

bool is_whole(double x) { return std::trunc(x) == x; }

}  // namespace

Bounds make(double lower, double upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower > upper) return std::nullopt;
  return Interval{lower + 0.0, upper + 0.0};  // no -0
}

Bounds plus(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  return make(sum_end(x->lower, y->lower, -kInfinity), sum_end(x->upper, y->upper, kInfinity));
}

Bounds minus(const Bounds& x, const Bounds& y) { return plus(x, negated(y)); }

Bounds times(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  return of_ends(*x, *y, product_end);
}

Bounds over(const Bounds& x, const Bounds& y, bool whole) {
  if (!x || !y) return std::nullopt;
  if (whole) {
    // Divisors of 1 or more in size: the quotient is never further from 0 than x, and nearer with larger ones.
    double least = 1;
    if (y->lower > 0) least = std::max(1.0, y->lower);
    if (y->upper < 0) least = std::max(1.0, -y->upper);
    const double lower = std::trunc(x->lower / least), upper = std::trunc(x->upper / least);
    const double most = std::max(std::abs(lower), std::abs(upper));
    if (y->lower > 0) return make(std::min(lower, 0.0), std::max(upper, 0.0));
    if (y->upper < 0) return make(std::min(-upper, 0.0), std::max(-lower, 0.0));
    return make(-most, most);
  }
  if (y->lower <= 0 && y->upper >= 0) return std::nullopt;
  return of_ends(*x, *y, quotient_end);
}

Bounds rest(const Bounds& x, const Bounds& y, bool whole) {
  if (!y) return std::nullopt;
  const double most = std::max(std::max(std::abs(y->lower), std::abs(y->upper)) - (whole ? 1 : 0), 0.0);
  if (!x) return make(-most, most);
  return make(std::max(-most, std::min(x->lower, 0.0)), std::min(most, std::max(x->upper, 0.0)));
}

Bounds power(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  const auto raised = [](double base, double exponent, double) { return std::pow(base, exponent); };
  if (x->lower > 0 || (x->lower == 0 && y->lower >= 0)) return outside(of_ends(*x, *y, raised));
  if (y->lower < 0) return std::nullopt;
  if (y->lower == y->upper && is_whole(y->lower)) {
    if (std::fmod(y->lower, 2) == 0) return power(absolute(x), y);
    return rising_roughly(x, [&](double base) { return std::pow(base, y->lower); });
  }
  const Bounds size = power(absolute(x), y);
  return size ? make(-size->upper, size->upper) : std::nullopt;
}

Bounds bits_of_both(const Bounds& x, const Bounds& y) {
  // One that is not below 0 has no more bits than itself.
  const bool has_x = x && x->lower >= 0, has_y = y && y->lower >= 0;
  if (!has_x && !has_y) return std::nullopt;
  return make(0, std::min(has_x ? x->upper : kInfinity, has_y ? y->upper : kInfinity));
}

Bounds bits_of_either(const Bounds& x, const Bounds& y) {
  if (!x || !y || x->lower < 0 || y->lower < 0) return std::nullopt;
  int bits;
  std::frexp(std::max(x->upper, y->upper), &bits);
  return make(0, std::ldexp(1, bits) - 1);
}

Bounds outside(const Bounds& x) {
  return x ? make(outside(x->lower, -kInfinity), outside(x->upper, kInfinity)) : std::nullopt;
}

Bounds cut(const Bounds& x, int digits) {
  return to_digits(x, digits, [](double value) { return std::trunc(value); });
}

Bounds rounded(const Bounds& x, int digits) {
  return to_digits(x, digits, [](double value) { return std::round(value); });
}

Bounds negated(const Bounds& x) { return x ? make(-x->upper, -x->lower) : std::nullopt; }

Bounds absolute(const Bounds& x) {
  if (!x) return std::nullopt;
  const double far = std::max(std::abs(x->lower), std::abs(x->upper));
  const double near = std::min(std::abs(x->lower), std::abs(x->upper));
  return make(x->lower <= 0 && x->upper >= 0 ? 0 : near, far);
}

Nullable greatest(const Nullable& x, const Nullable& y) {
  const bool null = x.can_be_null && y.can_be_null;
  if (!x.bounds || !y.bounds) return {std::nullopt, null};
  const double one = x.bounds->lower, other = y.bounds->lower;
  double lower = null ? std::min(one, other) : std::max(one, other);
  if (x.can_be_null && !y.can_be_null) lower = other;
  if (y.can_be_null && !x.can_be_null) lower = one;
  return {make(lower, std::max(x.bounds->upper, y.bounds->upper)), null};
}

Nullable least(const Nullable& x, const Nullable& y) {
  const Nullable found = greatest({negated(x.bounds), x.can_be_null}, {negated(y.bounds), y.can_be_null});
  return {negated(found.bounds), found.can_be_null};
}

Bounds either(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  return make(std::min(x->lower, y->lower), std::max(x->upper, y->upper));
}

Bounds within(const Bounds& x, const Bounds& y) {
  if (!x) return y;
  if (!y) return x;
  const Bounds both = make(std::max(x->lower, y->lower), std::min(x->upper, y->upper));
  return both ? both : x;
}

}  // namespace dp::bounds
