// Numbers that are rounded up, against 50 digits: never below, and at most a little above.
#include <gtest/gtest.h>

#include <cstdint>

#include "core/number/above.h"
#include "support/bits.h"

namespace dp::test {
namespace {

Real power_of_two(std::int64_t exponent) { return ldexp(Real(1), static_cast<int>(exponent)); }

// Whether that is an upper bound of x: at least the greatest of these numbers that is not above x, and not above twice
// a little more.
void expect_just_above(const Above& above, const Real& x, int steps) {
  EXPECT_TRUE(Above::not_above(x) <= above);
  EXPECT_TRUE(above <= Above::not_above(x * (1 + steps * power_of_two(-61))));
}

TEST(Above, RoundsUpALittle) {
  SeededBits bits(7);
  for (int i = 0; i < 2000; ++i) {
    const auto any = [&] {
      const auto shift = static_cast<int>(bits.bits(6) * 2);
      return (static_cast<unsigned __int128>(bits.bits(62)) << 64 | bits.bits(64)) >> shift | 1;
    };
    const unsigned __int128 a = any(), b = any(), c = any(), d = any();
    const Above one = Above::quotient(a, b), two = Above::quotient(c, d);
    const Real x = Real(a) / Real(b), y = Real(c) / Real(d);
    expect_just_above(one, x, 2);
    expect_just_above(one * two, x * y, 5);
    expect_just_above(one + two, x + y, 5);
    expect_just_above(one.to_the(37), pow(x, 37), 37 * 4);
  }
}

TEST(Above, ComparesByExponentsAndDigits) {
  const Above half = Above::quotient(1, 2), third = Above::quotient(1, 3), two = Above::quotient(2, 1);
  EXPECT_TRUE(third <= half && half <= half && half <= two && third <= two);
  EXPECT_FALSE(half <= third || two <= half);
  EXPECT_TRUE(half + half <= Above::quotient(1, 1) && Above::quotient(1, 1) <= half + half);
  EXPECT_TRUE(half * two <= Above::not_above(Real(1)));
  EXPECT_FALSE(third <= Above::not_above(Real(1) / 3)) << "a third is not one of them";
}

}  // namespace
}  // namespace dp::test
