// Interval arithmetic: the bounds hold every value of the expression, and are its least and greatest where they can be.
#include "core/bounds/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dp::bounds {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bounds kNone = std::nullopt;

Bounds of(double lower, double upper) { return make(lower, upper); }

TEST(ValueBounds, HasFiniteEndsInOrder) {
  EXPECT_EQ(make(1, 2), (Interval{1, 2}));
  EXPECT_EQ(make(2, 1), kNone);
  EXPECT_EQ(make(-kInfinity, 0), kNone);
  EXPECT_EQ(make(0, std::nan("")), kNone);
  EXPECT_FALSE(std::signbit(make(-0.0, 1)->lower));
}

TEST(ValueBounds, WithoutBoundsThereAreNone) {
  const Bounds x = of(0, 1);
  EXPECT_EQ(plus(x, kNone), kNone);
  EXPECT_EQ(minus(kNone, x), kNone);
  EXPECT_EQ(times(x, kNone), kNone);
  EXPECT_EQ(over(x, kNone), kNone);
  EXPECT_EQ(rest(x, kNone), kNone);
  EXPECT_EQ(negated(kNone), kNone);
  EXPECT_EQ(absolute(kNone), kNone);
  EXPECT_EQ(either(x, kNone), kNone);
  EXPECT_EQ(times(of(0, 1e300), of(0, 1e300)), kNone);
}

// Every operation on whole intervals against all pairs of their numbers: no value outside, each end reached.
template <class Intervals, class Numbers>
void expect_hull(Intervals intervals, Numbers numbers, bool tight) {
  for (int a = -4; a <= 4; ++a) {
    for (int b = a; b <= 4; ++b) {
      for (int c = -4; c <= 4; ++c) {
        for (int d = c; d <= 4; ++d) {
          const Bounds found = intervals(of(a, b), of(c, d));
          if (!found) continue;
          Number least = kInfinity, most = -kInfinity;
          for (int x = a; x <= b; ++x) {
            for (int y = c; y <= d; ++y) {
              const Number value = numbers(x, y);
              if (std::isnan(value)) continue;
              ASSERT_GE(value, found->lower) << x << ' ' << y << " of " << a << ' ' << b << ' ' << c << ' ' << d;
              ASSERT_LE(value, found->upper) << x << ' ' << y << " of " << a << ' ' << b << ' ' << c << ' ' << d;
              least = std::min(least, value);
              most = std::max(most, value);
            }
          }
          if (tight) {
            ASSERT_EQ(found->lower, least);
            ASSERT_EQ(found->upper, most);
          }
        }
      }
    }
  }
}

TEST(ValueBounds, HoldsSumsDifferencesAndProducts) {
  expect_hull(
      plus, [](Number x, Number y) { return x + y; }, true);
  expect_hull(
      minus, [](Number x, Number y) { return x - y; }, true);
  expect_hull(
      times, [](Number x, Number y) { return x * y; }, true);
}

TEST(ValueBounds, HoldsQuotients) {
  expect_hull([](const Bounds& x, const Bounds& y) { return over(x, y); },
              [](Number x, Number y) { return y == 0 ? std::nan("") : x / y; }, false);
  expect_hull([](const Bounds& x, const Bounds& y) { return over(x, y, true); },
              [](Number x, Number y) { return y == 0 ? std::nan("") : std::trunc(x / y); }, false);
  for (const bool whole : {false, true}) {
    expect_hull([whole](const Bounds& x, const Bounds& y) { return rest(x, y, whole); },
                [](Number x, Number y) { return y == 0 ? std::nan("") : std::fmod(x, y); }, false);
  }
  EXPECT_EQ(rest(of(-3, 20), of(7, 7), true), (Interval{-3, 6}));
  EXPECT_EQ(over(of(1, 2), of(-1, 1)), kNone);
  EXPECT_EQ(over(of(1, 2), of(0, 1)), kNone);
  EXPECT_EQ(over(of(0, 100), of(10, 10), true), (Interval{0, 10}));
}

// Ends that are no doubles lie outside, by one place; those that are stay.
TEST(ValueBounds, RoundsOutwards) {
  EXPECT_EQ(plus(of(0.5, 1), of(0.25, 2)), (Interval{0.75, 3}));
  EXPECT_EQ(times(of(0.5, 2), of(3, 3)), (Interval{1.5, 6}));
  EXPECT_EQ(over(of(1, 3), of(4, 4)), (Interval{0.25, 0.75}));
  const auto expect_around = [](const Bounds& found, long double lower, long double upper) {
    EXPECT_LE(found->lower, lower);
    EXPECT_GE(found->upper, upper);
    EXPECT_LT(found->upper - found->lower, 1e-15 * (1 + std::abs(found->upper)));
  };
  for (const long double x : {0.1L, 1 / 3.0L, 0.7L, 1234.56L, 1e-7L}) {
    for (const long double y : {0.3L, 7.1L, 1e5L}) {
      const auto a = static_cast<double>(x), b = static_cast<double>(y);
      const long double one = a, other = b;
      for (const int sign : {1, -1}) {
        const Bounds signed_a = sign > 0 ? of(a, a) : of(-a, -a);
        expect_around(plus(signed_a, of(b, b)), sign * one + other, sign * one + other);
        const long double product = sign * one * other, quotient = sign * one / other;
        expect_around(times(signed_a, of(b, b)), product, product);
        expect_around(over(signed_a, of(b, b)), quotient, quotient);
        expect_around(over(signed_a, of(-b, -b)), -quotient, -quotient);
      }
    }
  }
  EXPECT_LT(over(of(1, 1), of(3, 3))->lower, over(of(1, 1), of(3, 3))->upper);
}

TEST(ValueBounds, HoldsPowers) {
  expect_hull(
      power,
      [](Number x, Number y) {
        const Number value = std::pow(x, y);
        return std::isfinite(value) ? value : std::nan("");
      },
      false);
  EXPECT_EQ(power(of(0, 10), of(2, 2)), (Interval{0, 100}));
  EXPECT_EQ(power(of(-3, 2), of(2, 2)), (Interval{0, 9}));
  EXPECT_EQ(power(of(-3, 2), of(3, 3)), (Interval{-27, 8}));
  EXPECT_EQ(power(of(2, 3), of(-1, 2)), (Interval{outside(of(1 / 3.0, 1))->lower, 9}));
  EXPECT_EQ(power(of(0, 3), of(-1, 2)), kNone);
  EXPECT_EQ(power(of(0, 0.5), of(0, 2)), (Interval{0, 1}));
}

TEST(ValueBounds, HoldsBits) {
  for (int a = 0; a <= 9; ++a) {
    for (int b = 0; b <= 9; ++b) {
      const Bounds x = of(0, a), y = of(b / 2, b);
      for (int i = 0; i <= a; ++i) {
        for (int j = b / 2; j <= b; ++j) {
          EXPECT_LE(i & j, bits_of_both(x, y)->upper);
          EXPECT_LE(i & j, bits_of_both(x, kNone)->upper);
          EXPECT_LE(i | j, bits_of_either(x, y)->upper);
          EXPECT_LE(i ^ j, bits_of_either(x, y)->upper);
        }
      }
    }
  }
  EXPECT_EQ(bits_of_both(of(-1, 5), of(-1, 5)), kNone);
  EXPECT_EQ(bits_of_either(of(-1, 5), of(0, 5)), kNone);
  EXPECT_EQ(bits_of_either(of(0, 4), of(0, 1)), (Interval{0, 7}));
}

TEST(ValueBounds, HoldsDigits) {
  EXPECT_EQ(rounded(of(1499, 1501), -3), (Interval{1000, 2000}));
  EXPECT_EQ(cut(of(-1501, 1999), -3), (Interval{-1000, 1000}));
  for (int i = -300; i <= 300; ++i) {
    const double x = i / 100.0;
    const Bounds found = cut(of(x, x), 2), near = rounded(of(x, x), 1);
    EXPECT_LE(found->lower, x);
    EXPECT_GE(found->upper, x);
    EXPECT_LT(found->upper - found->lower, 0.011);
    EXPECT_LE(near->lower, std::round(i / 10.0) / 10);
    EXPECT_GE(near->upper, std::round(i / 10.0) / 10);
  }
}

TEST(ValueBounds, HoldsSizes) {
  EXPECT_EQ(absolute(of(-3, 2)), (Interval{0, 3}));
  EXPECT_EQ(absolute(of(-3, -2)), (Interval{2, 3}));
  EXPECT_EQ(absolute(of(2, 3)), (Interval{2, 3}));
  EXPECT_EQ(negated(of(-3, 2)), (Interval{-2, 3}));
}

TEST(ValueBounds, LeastAndGreatestPassOverNull) {
  const auto greatest_of = [](bool x, bool y) { return greatest({of(-5, 10), x}, {of(0, 3), y}).bounds; };
  EXPECT_EQ(greatest_of(false, false), (Interval{0, 10}));
  EXPECT_EQ(greatest_of(true, false), (Interval{0, 10}));
  EXPECT_EQ(greatest_of(false, true), (Interval{-5, 10}));
  EXPECT_EQ(greatest_of(true, true), (Interval{-5, 10}));
  EXPECT_EQ(least({of(-5, 10), true}, {of(0, 3), false}).bounds, (Interval{-5, 3}));
  EXPECT_EQ(least({of(-5, 10), false}, {of(0, 3), true}).bounds, (Interval{-5, 10}));
  EXPECT_FALSE(greatest({of(0, 1), true}, {of(0, 1), false}).can_be_null);
  EXPECT_EQ(greatest({kNone, true}, {of(0, 1), false}).bounds, kNone);
}

TEST(ValueBounds, MeetsAndJoins) {
  EXPECT_EQ(either(of(0, 1), of(5, 6)), (Interval{0, 6}));
  EXPECT_EQ(within(of(0, 10), of(5, 20)), (Interval{5, 10}));
  EXPECT_EQ(within(of(0, 1), of(5, 6)), (Interval{0, 1}));
  EXPECT_EQ(within(kNone, of(5, 6)), (Interval{5, 6}));
  EXPECT_EQ(rising(of(0.2, 1.7), [](double x) { return std::floor(x); }), (Interval{0, 1}));
}

}  // namespace
}  // namespace dp::bounds
