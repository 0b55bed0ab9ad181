#include "core/bounds/course.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/bounds/traits.h"

namespace dp::bounds {
namespace {

using Wide = __int128;
using Size = std::optional<Fraction>;

constexpr int kMostDigits = 18;

Wide greatest_divisor(Wide x, Wide y) {
  while (y != 0) {
    const Wide rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

Fraction in_lowest_terms(Wide over, Wide under) {
  const Wide divisor = greatest_divisor(over, under);
  return {over / divisor, under / divisor};
}

Size product(const Fraction& x, const Fraction& y) {
  // Crosswise first, so that what cancels out does not overflow.
  const Fraction one = in_lowest_terms(x.over, y.under), other = in_lowest_terms(y.over, x.under);
  Fraction found;
  if (__builtin_mul_overflow(one.over, other.over, &found.over)) return std::nullopt;
  if (__builtin_mul_overflow(one.under, other.under, &found.under)) return std::nullopt;
  return found;
}

// y is not 0.
Size quotient(const Fraction& x, const Fraction& y) { return product(x, {y.under, y.over}); }

// The largest of which both are multiples: 0 is a multiple of all.
Size divisor_of(const Fraction& x, const Fraction& y) {
  Wide one, other, under;
  if (__builtin_mul_overflow(x.over, y.under, &one) || __builtin_mul_overflow(y.over, x.under, &other) ||
      __builtin_mul_overflow(x.under, y.under, &under))
    return std::nullopt;
  return in_lowest_terms(greatest_divisor(one, other), under);
}

Size power_of_ten(int exponent) {
  if (std::abs(exponent) > kMostDigits) return std::nullopt;
  Wide power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? Fraction{1, power} : Fraction{power, 1};
}

// A unit of so many digits behind the point.
Size unit_of(double digits) {
  return digits >= -kMostDigits && digits <= kMostDigits ? power_of_ten(-static_cast<int>(digits)) : std::nullopt;
}

// What changes where that number reaches a multiple of the unit, or 0 alone where that is 0.
Course in_steps(const Course& x, const Size& unit, bool calculates = false) {
  if (x.varies != Varies::in_line) return x;
  const Size reached = unit ? divisor_of(*unit, x.shift) : std::nullopt;
  const Size width = reached ? quotient(*reached, x.slope) : std::nullopt;
  if (!width) return kAnywhere;
  return {.varies = Varies::in_steps, .width = *width, .calculated = x.calculated || calculates, .rises = x.rises};
}

// What is no line any more, and has steps where x has.
Course of_it(Course x) {
  x.rises = false;
  return x.varies == Varies::in_line ? kAnywhere : x;
}

Course shifted(Course x, const Size& by) {
  const Size shift = by ? divisor_of(x.shift, *by) : std::nullopt;
  if (!shift) return kAnywhere;
  x.shift = *shift;
  x.calculated = true;
  return x;
}

Course multiplied(Course x, const Size& by) {
  if (!by || by->over == 0) return kAnywhere;
  const Size slope = product(x.slope, *by), shift = product(x.shift, *by);
  if (!slope || !shift) return kAnywhere;
  x.slope = *slope;
  x.shift = *shift;
  x.calculated = true;
  return x;
}

Size inverse(const Size& of) { return of && of->over != 0 ? Size({of->under, of->over}) : std::nullopt; }

Size half(const Size& of) { return of ? product(*of, {1, 2}) : std::nullopt; }

}  // namespace

std::optional<Fraction> as_fraction(double size) {
  if (!std::isfinite(size)) return std::nullopt;
  std::array<char, 40> written{};
  const char* const end =
      std::to_chars(written.data(), written.data() + written.size(), std::fabs(size), std::chars_format::scientific)
          .ptr;
  Wide digits = 0;
  int behind = 0;  // the point
  bool is_behind = false;
  const char* at = written.data();
  for (; at != end && *at != 'e'; ++at) {
    if (*at == '.') {
      is_behind = true;
      continue;
    }
    digits = digits * 10 + (*at - '0');
    behind += is_behind;
  }
  const int exponent = at == end ? 0 : std::atoi(at + 1);
  if (digits == 0) return Fraction{};
  const Size unit = power_of_ten(exponent - behind);
  return unit ? product({digits, 1}, *unit) : std::nullopt;
}

double as_double(const Fraction& fraction) {
  return static_cast<double>(static_cast<long double>(fraction.over) / static_cast<long double>(fraction.under));
}

Course course_of_both(const Course& x, const Course& y) {
  if (x.varies == Varies::never) return of_it(y);
  if (y.varies == Varies::never) return of_it(x);
  if (x.varies != Varies::in_steps || y.varies != Varies::in_steps) return kAnywhere;
  const Size width = divisor_of(x.width, y.width);
  if (!width) return kAnywhere;
  return {.varies = Varies::in_steps, .width = *width, .calculated = x.calculated || y.calculated, .rises = false};
}

namespace {

Course course_in_line(Meaning meaning, const Course& x) {
  switch (meaning) {
    case Meaning::negate:
    case Meaning::abs: {
      Course turned = x;
      turned.calculated = true;
      return turned;
    }
    case Meaning::trim_scale:
      return x;
    case Meaning::floor:
    case Meaning::ceil:
    case Meaning::trunc:
      return in_steps(x, Fraction{1, 1});
    case Meaning::round:
      return in_steps(x, Fraction{1, 2});
    case Meaning::sign:
      return in_steps(x, Fraction{});
    default:
      return kAnywhere;
  }
}

Course course_in_line(Meaning meaning, const Course& x, double constant, bool first) {
  const Size size = as_fraction(constant);
  switch (meaning) {
    case Meaning::plus:
    case Meaning::minus:
      return shifted(x, size);
    case Meaning::times:
      return multiplied(x, size);
    case Meaning::divide:
      return first ? kAnywhere : multiplied(x, inverse(size));
    case Meaning::trunc:
      return first ? kAnywhere : in_steps(x, unit_of(constant));
    case Meaning::round:
      return first ? kAnywhere : in_steps(x, half(unit_of(constant)));
    case Meaning::div:
    case Meaning::dp_bucket:
      return first || constant == 0 ? kAnywhere : in_steps(x, size, true);
    default:
      return kAnywhere;
  }
}

Course directed(Course course, int direction) {
  course.rises = course.rises && direction > 0;
  return course;
}

}  // namespace

Course course_of(Meaning meaning, const Course& x) {
  return directed(x.varies == Varies::in_line ? course_in_line(meaning, x) : x, direction_of(meaning));
}

Course course_of(Meaning meaning, const Course& x, double constant, bool first) {
  return directed(x.varies == Varies::in_line ? course_in_line(meaning, x, constant, first) : x,
                  direction_of(meaning, constant, first));
}

int direction_of(Meaning meaning) {
  if (meaning == Meaning::negate) return -1;
  return traits_of(meaning).rounds || meaning == Meaning::cast || meaning == Meaning::trim_scale ||
         meaning == Meaning::sign;
}

int direction_of(Meaning meaning, double constant, bool first) {
  const int sign = (constant > 0) - (constant < 0);
  switch (meaning) {
    case Meaning::plus:
      return 1;
    case Meaning::minus:
      return first ? -1 : 1;
    case Meaning::times:
      return sign;
    case Meaning::divide:
    case Meaning::div:
      return first ? 0 : sign;
    case Meaning::round:
    case Meaning::trunc:
      return !first;
    case Meaning::dp_bucket:
      return !first && sign > 0;
    default:
      return 0;
  }
}

}  // namespace dp::bounds
