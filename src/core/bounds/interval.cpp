#include "core/bounds/interval.h"

#include <algorithm>
#include <cmath>

namespace dp::bounds {

Bounds make(double lower, double upper) {
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower > upper) return std::nullopt;
  return Interval{lower + 0.0, upper + 0.0};  // no -0
}

Bounds plus(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  return make(x->lower + y->lower, x->upper + y->upper);
}

Bounds minus(const Bounds& x, const Bounds& y) { return plus(x, negated(y)); }

Bounds times(const Bounds& x, const Bounds& y) {
  if (!x || !y) return std::nullopt;
  const double products[] = {x->lower * y->lower, x->lower * y->upper, x->upper * y->lower, x->upper * y->upper};
  return make(std::ranges::min(products), std::ranges::max(products));
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
  return times(x, make(1 / y->upper, 1 / y->lower));
}

Bounds rest(const Bounds& x, const Bounds& y) {
  if (!y) return std::nullopt;
  const double most = std::max(std::abs(y->lower), std::abs(y->upper));
  return make(x && x->lower >= 0 ? 0 : -most, x && x->upper <= 0 ? 0 : most);
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
