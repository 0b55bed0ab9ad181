// What is charged: sums that never wrap, and numbers that print exactly.
#include "core/accounting/amount.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace dp::budget {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string epsilon(std::int64_t nano) { return epsilon_decimal(nano).text; }
std::string delta(std::int64_t atto) { return delta_decimal(atto).text; }

TEST(Amount, AddsEachPartForItself) {
  Amount sum;
  for (int i = 0; i < 10; ++i) sum += Amount{100'000'000, 7};
  EXPECT_EQ(sum, (Amount{1'000'000'000, 70}));
  EXPECT_EQ((Amount{3, 5}).times(4), (Amount{12, 20}));
  EXPECT_TRUE(Amount{}.zero());
  EXPECT_FALSE((Amount{0, 1}).zero());
}

TEST(Amount, NeverWraps) {
  EXPECT_THROW((Amount{kMost, 0}) + (Amount{1, 0}), dp::Error);
  EXPECT_THROW((Amount{0, kMost}) + (Amount{0, 1}), dp::Error);
  EXPECT_THROW((Amount{kMost, 0}).times(2), dp::Error);
}

TEST(Decimal, IsExactAndShort) {
  EXPECT_EQ(epsilon(0), "0");
  EXPECT_EQ(epsilon(1), "0.000000001");
  EXPECT_EQ(epsilon(100'000'000), "0.1");
  EXPECT_EQ(epsilon(150'000'000), "0.15");
  EXPECT_EQ(epsilon(1'000'000'000), "1");
  EXPECT_EQ(epsilon(10'000'000'000), "10");
  EXPECT_EQ(epsilon(1'050'000'000), "1.05");
  EXPECT_EQ(epsilon(999'999'999), "0.999999999");
  EXPECT_EQ(epsilon(-200'000'000), "-0.2");
  EXPECT_EQ(epsilon(9'000'000'000'000'000'000), "9000000000");
  EXPECT_EQ(epsilon(kMost), "9223372036.854775807");
  EXPECT_EQ(epsilon(std::numeric_limits<std::int64_t>::min()), "-9223372036.854775808");
  EXPECT_EQ(delta(1), "0.000000000000000001");
  EXPECT_EQ(delta(1'000'000'000'000), "0.000001");
  EXPECT_EQ(delta(999'999'999'999'999'999), "0.999999999999999999");
  EXPECT_EQ(delta(kMost), "9.223372036854775807");
}

}  // namespace
}  // namespace dp::budget
