#include "core/bounds/grain.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace dp::bounds {
namespace {

// The smallest 64-bit number has no size.
Grained of_size(std::int64_t millionths) {
  if (millionths == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  return Grain{millionths < 0 ? -millionths : millionths};
}

Grained product(const Grained& x, const Grained& y) {
  std::int64_t found;
  if (!x || !y || __builtin_mul_overflow(x->millionths, y->millionths, &found)) return std::nullopt;
  if (found % kWhole.millionths != 0) return std::nullopt;
  return Grain{found / kWhole.millionths};
}

// What is rounded to multiples of the other one; multiples of that stay what they are.
Grain rounded_to(const Grained& x, const Grain& unit) { return x && x->millionths % unit.millionths == 0 ? *x : unit; }

Grained of_one(Meaning meaning, const Grained& x) {
  switch (meaning) {
    case Meaning::negate:
    case Meaning::abs:
    case Meaning::trim_scale:
    case Meaning::cast:
      return x;
    case Meaning::floor:
    case Meaning::ceil:
    case Meaning::round:
    case Meaning::trunc:
      return rounded_to(x, kWhole);
    case Meaning::sign:
    case Meaning::scale:
      return kWhole;
    default:
      return std::nullopt;
  }
}

Grained of_two(Meaning meaning, const Grained& x, const Grained& y) {
  switch (meaning) {
    case Meaning::plus:
    case Meaning::minus:
    case Meaning::mod:
    case Meaning::gcd:
    case Meaning::lcm:
      return common(x, y);
    case Meaning::times:
      return product(x, y);
    case Meaning::div:
      return kWhole;
    case Meaning::dp_bucket:
      return y;
    default:
      return std::nullopt;
  }
}

}  // namespace

Grain of_millionths(std::int64_t millionths) { return of_size(millionths).value_or(Grain{1}); }

Grained of_digits(int digits) {
  constexpr int kBehind = 6, kBefore = 12;
  if (digits > kBehind || digits < -kBefore) return std::nullopt;
  std::int64_t millionths = 1;
  for (int i = digits; i < kBehind; ++i) millionths *= 10;
  return Grain{millionths};
}

Grained common(const Grained& x, const Grained& y) {
  if (!x || !y) return std::nullopt;
  return Grain{std::gcd(x->millionths, y->millionths)};
}

Grained to_digits(const Grained& x, int digits) {
  const Grained unit = of_digits(digits);
  return unit ? Grained(rounded_to(x, *unit)) : std::nullopt;
}

Grained grain_of_meaning(Meaning meaning, const Grained& x, const Grained* y, bool whole) {
  const Grained found = y != nullptr ? of_two(meaning, x, *y) : of_one(meaning, x);
  return whole && (!found || !is_whole(*found)) ? Grained(kWhole) : found;
}

std::optional<Multiples> multiples_within(const Interval& bounds, const Grain& grain) {
  constexpr Number kOff = 1e-6, kMost = 1e9;
  if (grain.millionths == 0) return bounds.lower <= 0 && bounds.upper >= 0 ? Multiples{0, 0} : Multiples{1, 0};
  const auto times = [&](Number end) { return end * kWhole.millionths / static_cast<Number>(grain.millionths); };
  const Number first = times(bounds.lower), last = times(bounds.upper);
  if (std::fabs(first) > kMost || std::fabs(last) > kMost) return std::nullopt;
  return Multiples{static_cast<std::int64_t>(std::ceil(first - kOff)),
                   static_cast<std::int64_t>(std::floor(last + kOff))};
}

}  // namespace dp::bounds
