#include "guard/rewrite/number_bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dp::guard {
namespace {

using bounds::Bounds;

constexpr double kMostDigits = 16383;  // behind the point

// To the base of the second number, or to 10. Values at or below 0 have none.
Bounds logarithm(const Bounds& base, const Bounds& x) {
  const auto ln = [](const Bounds& of) {
    return of && of->lower > 0 ? bounds::rising_roughly(of, [](double value) { return std::log(value); })
                               : std::nullopt;
  };
  return bounds::over(ln(x), ln(base));
}

// A half is rounded to the even number, or away from zero, as the type has it.
Bounds nearest(const Bounds& x) {
  if (!x) return std::nullopt;
  return bounds::make(std::min(std::rint(x->lower), std::round(x->lower)),
                      std::max(std::rint(x->upper), std::round(x->upper)));
}

double furthest(const Bounds& x) { return std::max(std::abs(x->lower), std::abs(x->upper)); }

Bounds of_two(Meaning meaning, const Bounds& x, const Bounds& y, bool whole) {
  switch (meaning) {
    case Meaning::plus:
      return bounds::plus(x, y);
    case Meaning::minus:
      return bounds::minus(x, y);
    case Meaning::times:
      return bounds::times(x, y);
    case Meaning::divide:
      return bounds::over(x, y, whole);
    case Meaning::div:
      return bounds::rising(bounds::over(x, y), [](double value) { return std::trunc(value); });
    case Meaning::mod:
      return bounds::rest(x, y, whole);
    case Meaning::log:
      return logarithm(x, y);
    case Meaning::power:
      return bounds::power(x, y);
    case Meaning::dp_bucket:
      return x && y && y->lower > 0 ? bounds::make(x->lower - y->upper, x->upper) : std::nullopt;
    case Meaning::gcd:
      return x && y ? bounds::make(0, std::max(furthest(x), furthest(y))) : std::nullopt;
    case Meaning::lcm:
      return x && y ? bounds::make(0, furthest(x) * furthest(y)) : std::nullopt;
    case Meaning::atan2:
      return bounds::make(-std::numbers::pi, std::numbers::pi);
    case Meaning::bits_and:
      return bounds::bits_of_both(x, y);
    case Meaning::bits_or:
      return bounds::bits_of_either(x, y);
    default:
      return std::nullopt;
  }
}

Bounds of_one(Meaning meaning, const Bounds& x) {
  switch (meaning) {
    case Meaning::negate:
      return bounds::negated(x);
    case Meaning::abs:
      return bounds::absolute(x);
    case Meaning::floor:
      return bounds::rising(x, [](double value) { return std::floor(value); });
    case Meaning::trunc:
      return bounds::rising(x, [](double value) { return std::trunc(value); });
    case Meaning::ceil:
      return bounds::rising(x, [](double value) { return std::ceil(value); });
    case Meaning::round:
      return nearest(x);
    case Meaning::sqrt:  // NULL below 0
      return bounds::rising_roughly(x, [](double value) { return std::sqrt(std::max(value, 0.0)); });
    case Meaning::cbrt:
      return bounds::rising_roughly(x, [](double value) { return std::cbrt(value); });
    case Meaning::exp:
      return bounds::rising_roughly(x, [](double value) { return std::exp(value); });
    case Meaning::ln:
      if (!x || x->lower <= 0) return std::nullopt;
      return bounds::rising_roughly(x, [](double value) { return std::log(value); });
    case Meaning::log:
      if (!x || x->lower <= 0) return std::nullopt;
      return bounds::rising_roughly(x, [](double value) { return std::log10(value); });
    case Meaning::sign:
      return x ? bounds::rising(x, [](double value) { return (value > 0) - (value < 0); }) : bounds::make(-1, 1);
    case Meaning::sin_or_cos:
      return bounds::make(-1, 1);
    case Meaning::asin:
    case Meaning::atan:
      return bounds::make(-std::numbers::pi / 2, std::numbers::pi / 2);
    case Meaning::acos:
      return bounds::make(0, std::numbers::pi);
    case Meaning::degrees:
      return bounds::outside(bounds::times(x, bounds::make(180 / std::numbers::pi, 180 / std::numbers::pi)));
    case Meaning::radians:
      return bounds::outside(bounds::times(x, bounds::make(std::numbers::pi / 180, std::numbers::pi / 180)));
    case Meaning::bits_not:
      return bounds::minus(bounds::make(-1, -1), x);
    case Meaning::scale:
      return bounds::make(0, kMostDigits);
    default:
      return std::nullopt;
  }
}

}  // namespace

Bounds bounds_of_meaning(Meaning meaning, const Bounds& first, const Bounds* second, bool whole) {
  return second != nullptr ? of_two(meaning, first, *second, whole) : of_one(meaning, first);
}

}  // namespace dp::guard
