#include "core/bounds/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dp::bounds {
namespace {

constexpr Number kInfinity = std::numeric_limits<Number>::infinity();
constexpr Number kMost = std::numeric_limits<double>::max();

// A result that is off by `error`, or by more than nothing in its direction, as the next number on the side `towards`
// where it lies on the other.
Number end(Number result, Number error, Number towards) {
  return (towards < 0 ? error < 0 : error > 0) ? std::nextafter(result, towards) : result;
}

// x + y is the sum that is rounded, and this.
Number error_of_sum(Number x, Number y) {
  const Number sum = x + y, other = sum - x;
  return (x - (sum - other)) + (y - other);
}

Number sum_end(Number x, Number y, Number towards) { return end(x + y, error_of_sum(x, y), towards); }

Number product_end(Number x, Number y, Number towards) { return end(x * y, std::fma(x, y, -(x * y)), towards); }

// Of y != 0: x / y is the quotient and the rest by y.
Number quotient_end(Number x, Number y, Number towards) {
  const Number quotient = x / y, left = std::fma(-quotient, y, x);
  return end(quotient, y > 0 ? left : -left, towards);
}

bool is_whole(Number x) { return std::trunc(x) == x; }

// The least and the greatest of f(x, y, side) over the ends of both.
template <class End>
Bounds of_ends(const Interval& x, const Interval& y, End f) {
  Number lower = kInfinity, upper = -kInfinity;
  for (const Number one : {x.lower, x.upper}) {
    for (const Number other : {y.lower, y.upper}) {
      lower = std::min(lower, f(one, other, -kInfinity));
      upper = std::max(upper, f(one, other, kInfinity));
    }
  }
  return make(lower, upper);
}

// The same where y is at least 1 away from 0.
template <class End>
Bounds over_divisors(const Interval& x, const Interval& y, End f) {
  const bool has_above = y.upper >= 1, has_below = y.lower <= -1;
  if (!has_above && !has_below) return make(0, 0);  // there is none
  const auto with = [&](Number lower, Number upper) { return of_ends(x, {lower, upper}, f); };
  const Bounds above = has_above ? with(std::max(y.lower, Number{1}), y.upper) : std::nullopt;
  const Bounds below = has_below ? with(y.lower, std::min(y.upper, Number{-1})) : std::nullopt;
  return !has_below ? above : !has_above ? below : either(above, below);
}

// What the C library makes of doubles, which is off by one or two of their last places.
double outside(Number result, Number towards) {
  constexpr double kWhole = 9007199254740992;
  constexpr double kRoughly = 1e-15;
  const auto side = static_cast<double>(towards);
  const double end = towards < 0 ? double_below(result) : double_above(result);
  if (std::abs(end) < kWhole && std::trunc(end) == end) return end;
  const double moved = end + std::copysign(std::abs(end) * kRoughly, side);
  return moved == end ? std::nextafter(end, side) : moved;
}

// f of the ends in units of the last digit. An end that is one may come out as a little less.
template <class Whole>
Bounds to_digits(const Bounds& x, int digits, Whole f) {
  if (!x) return std::nullopt;
  const Number units = std::pow(Number{10}, std::min(std::abs(digits), 300));
  const auto at = [&](Number end, Number towards) -> Number {
    if (digits >= 0 && is_whole(end)) return end;
    const Number scaled = outside(digits > 0 ? end * units : end / units, towards);
    return outside(digits > 0 ? f(scaled) / units : f(scaled) * units, towards);
  };
  return make(at(x->lower, -kInfinity), at(x->upper, kInfinity));
}

}  // namespace

Bounds make(Number lower, Number upper) {
  if (!(std::abs(lower) <= kMost && std::abs(upper) <= kMost && lower <= upper)) return std::nullopt;
  return Interval{lower + 0, upper + 0};  // no -0
}

Bounds whole_numbers(std::int64_t lower, std::int64_t upper) {
  const auto at = [](std::int64_t end, Number towards) {
    constexpr std::int64_t kExact = std::int64_t{1} << std::min(std::numeric_limits<Number>::digits, 62);
    const auto number = static_cast<Number>(end);
    const bool exact = std::numeric_limits<Number>::digits >= 63 || (-kExact <= end && end <= kExact);
    return exact ? number : std::nextafter(number, towards);
  };
  return make(at(lower, -kInfinity), at(upper, kInfinity));
}

double double_below(Number number) {
  const auto near = static_cast<double>(number);
  return near > number ? std::nextafter(near, -std::numeric_limits<double>::infinity()) : near;
}

double double_above(Number number) { return -double_below(-number); }

Bounds as_doubles(const Bounds& x) { return x ? make(double_below(x->lower), double_above(x->upper)) : std::nullopt; }

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
  if (whole)
    return over_divisors(
        *x, *y, [](Number one, Number other, Number towards) { return std::trunc(quotient_end(one, other, towards)); });
  if (y->lower <= 0 && y->upper >= 0) return std::nullopt;
  return of_ends(*x, *y, quotient_end);
}

Bounds over_whole(const Bounds& x, const Bounds& y) {
  return x && y ? over_divisors(*x, *y, quotient_end) : std::nullopt;
}

Bounds rest(const Bounds& x, const Bounds& y, bool whole) {
  if (!y) return std::nullopt;
  const Number most = std::max(std::max(std::abs(y->lower), std::abs(y->upper)) - (whole ? 1 : 0), Number{0});
  if (!x) return make(-most, most);
  return make(std::max(-most, std::min(x->lower, Number{0})), std::min(most, std::max(x->upper, Number{0})));
}

Bounds power(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  const auto raised = [](Number base, Number exponent, Number) { return std::pow(base, exponent); };
  if (x->lower > 0 || (x->lower == 0 && y->lower >= 0)) return outside(of_ends(*x, *y, raised));
  if (y->lower < 0) return std::nullopt;
  if (y->lower == y->upper && is_whole(y->lower)) {
    if (std::fmod(y->lower, 2) == 0) return power(absolute(x), y);
    return rising_roughly(x, [&](Number base) { return std::pow(base, y->lower); });
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
  return make(0, std::ldexp(Number{1}, bits) - 1);
}

Bounds outside(const Bounds& x) {
  return x ? make(outside(x->lower, -kInfinity), outside(x->upper, kInfinity)) : std::nullopt;
}

Bounds cut(const Bounds& x, int digits) {
  return to_digits(x, digits, [](Number value) { return std::trunc(value); });
}

Bounds rounded(const Bounds& x, int digits) {
  return to_digits(x, digits, [](Number value) { return std::round(value); });
}

Bounds to_any_digits(const Bounds& x, const Bounds& digits) {
  return x && digits && digits->lower >= 0 ? make(std::floor(x->lower), std::ceil(x->upper)) : std::nullopt;
}

Bounds negated(const Bounds& x) { return x ? make(-x->upper, -x->lower) : std::nullopt; }

Bounds absolute(const Bounds& x) {
  if (!x) return std::nullopt;
  const Number far = std::max(std::abs(x->lower), std::abs(x->upper));
  const Number near = std::min(std::abs(x->lower), std::abs(x->upper));
  return make(x->lower <= 0 && x->upper >= 0 ? 0 : near, far);
}

Nullable greatest(const Nullable& x, const Nullable& y) {
  const bool null = x.can_be_null && y.can_be_null;
  if (!x.bounds || !y.bounds) return {std::nullopt, null};
  const Number one = x.bounds->lower, other = y.bounds->lower;
  Number lower = null ? std::min(one, other) : std::max(one, other);
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
