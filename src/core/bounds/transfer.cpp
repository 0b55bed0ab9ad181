#include "core/bounds/transfer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dp::bounds {
namespace {

constexpr Number kMostDigits = 16383;  // behind the point

// To the base of the second number, or to 10. Values at or below 0 have none.
Bounds logarithm(const Bounds& base, const Bounds& x) {
  const auto ln = [](const Bounds& of) {
    return of && of->lower > 0 ? rising_roughly(of, [](double value) { return std::log(value); }) : std::nullopt;
  };
  return over(ln(x), ln(base));
}

// A half is rounded to the even number, or away from zero, as the type has it.
Bounds nearest(const Bounds& x) {
  if (!x) return std::nullopt;
  return make(std::min(std::rint(x->lower), std::round(x->lower)), std::max(std::rint(x->upper), std::round(x->upper)));
}

Bounds furthest(const Bounds& x) {
  const Bounds size = absolute(x);
  return size ? make(size->upper, size->upper) : std::nullopt;
}

Bounds up_to(const Bounds& most) { return most ? make(0, most->upper) : std::nullopt; }

// The next multiple of y below x; of one y it is none below that of the least x.
Bounds bucket(const Bounds& x, const Bounds& y) {
  if (!x || !y || y->lower <= 0) return std::nullopt;
  if (y->lower < y->upper) return make(minus(x, y)->lower, x->upper);
  const Bounds times = rising(over(make(x->lower, x->lower), y), [](Number value) { return std::floor(value); });
  const Bounds least = bounds::times(times, y);
  return least ? make(std::min(least->lower, x->upper), x->upper) : std::nullopt;
}

Bounds of_two(Meaning meaning, const Bounds& x, const Bounds& y, bool whole) {
  switch (meaning) {
    case Meaning::plus:
      return plus(x, y);
    case Meaning::minus:
      return minus(x, y);
    case Meaning::times:
      return times(x, y);
    case Meaning::divide:
      return over(x, y, whole);
    case Meaning::div:
      return rising(over(x, y), [](Number value) { return std::trunc(value); });
    case Meaning::mod:
      return rest(x, y, whole);
    case Meaning::log:
      return logarithm(x, y);
    case Meaning::power:
      return power(x, y);
    case Meaning::dp_bucket:
      return bucket(x, y);
    case Meaning::gcd:
      return up_to(either(furthest(x), furthest(y)));
    case Meaning::lcm:
      return up_to(times(furthest(x), furthest(y)));
    case Meaning::atan2:
      return make(-std::numbers::pi, std::numbers::pi);
    case Meaning::bits_and:
      return bits_of_both(x, y);
    case Meaning::bits_or:
      return bits_of_either(x, y);
    default:
      return std::nullopt;
  }
}

Bounds of_one(Meaning meaning, const Bounds& x) {
  switch (meaning) {
    case Meaning::negate:
      return negated(x);
    case Meaning::abs:
      return absolute(x);
    case Meaning::floor:
      return rising(x, [](Number value) { return std::floor(value); });
    case Meaning::trunc:
      return rising(x, [](Number value) { return std::trunc(value); });
    case Meaning::ceil:
      return rising(x, [](Number value) { return std::ceil(value); });
    case Meaning::round:
      return nearest(x);
    case Meaning::sqrt:  // NULL below 0
      return rising_roughly(x, [](double value) { return std::sqrt(std::max(value, 0.0)); });
    case Meaning::cbrt:
      return rising_roughly(x, [](double value) { return std::cbrt(value); });
    case Meaning::exp:
      return rising_roughly(x, [](double value) { return std::exp(value); });
    case Meaning::ln:
      if (!x || x->lower <= 0) return std::nullopt;
      return rising_roughly(x, [](double value) { return std::log(value); });
    case Meaning::log:
      if (!x || x->lower <= 0) return std::nullopt;
      return rising_roughly(x, [](double value) { return std::log10(value); });
    case Meaning::sign:
      return x ? rising(x, [](Number value) { return (value > 0) - (value < 0); }) : make(-1, 1);
    case Meaning::sin_or_cos:
      return make(-1, 1);
    case Meaning::asin:
    case Meaning::atan:
      return make(-std::numbers::pi / 2, std::numbers::pi / 2);
    case Meaning::acos:
      return make(0, std::numbers::pi);
    case Meaning::degrees:
      return outside(times(x, make(180 / std::numbers::pi, 180 / std::numbers::pi)));
    case Meaning::radians:
      return outside(times(x, make(std::numbers::pi / 180, std::numbers::pi / 180)));
    case Meaning::bits_not:
      return minus(make(-1, -1), x);
    case Meaning::scale:
      return make(0, kMostDigits);
    default:
      return std::nullopt;
  }
}

}  // namespace

Bounds of_buckets(const Bounds& count) {
  return count && count->lower >= 1 ? make(0, plus(count, make(1, 1))->upper) : std::nullopt;
}

Bounds of_meaning(Meaning meaning, const Bounds& first, const Bounds* second, bool whole) {
  return second != nullptr ? of_two(meaning, first, *second, whole) : of_one(meaning, first);
}

}  // namespace dp::bounds
