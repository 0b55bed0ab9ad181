// Of what values are multiples: whatever multiples the arguments are, what a function makes of them is one of the grain
// that comes out. Computed in millionths, exactly.
#include "core/bounds/grain.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

namespace dp::bounds {
namespace {

using Millionths = __int128;
constexpr Millionths kOne = 1'000'000;

Millionths floored(Millionths x, Millionths unit) { return x - ((x % unit) + unit) % unit; }
Millionths cut(Millionths x, Millionths unit) { return x - x % unit; }
Millionths nearest(Millionths x, Millionths unit) {
  return x < 0 ? -nearest(-x, unit) : floored(x + unit / 2, unit);  // halves away from zero
}

// What the function makes of these, in millionths; nothing where it has no value that is a number of these.
std::optional<Millionths> made(Meaning meaning, Millionths x, Millionths y) {
  switch (meaning) {
    case Meaning::plus:
      return x + y;
    case Meaning::minus:
      return x - y;
    case Meaning::times:
      return x * y % kOne == 0 ? std::optional(x * y / kOne) : std::nullopt;
    case Meaning::div:
      return y == 0 ? std::nullopt : std::optional(x / y * kOne);
    case Meaning::mod:
      return y == 0 ? std::nullopt : std::optional(x % y);
    case Meaning::dp_bucket:
      return y <= 0 ? std::nullopt : std::optional(floored(x, y));
    case Meaning::negate:
      return -x;
    case Meaning::abs:
      return x < 0 ? -x : x;
    case Meaning::sign:
      return ((x > 0) - (x < 0)) * kOne;
    case Meaning::floor:
      return floored(x, kOne);
    case Meaning::ceil:
      return -floored(-x, kOne);
    case Meaning::trunc:
      return cut(x, kOne);
    case Meaning::round:
      return nearest(x, kOne);
    default:
      return x;
  }
}

bool is_multiple(Millionths value, const Grain& grain) {
  return grain.millionths == 0 ? value == 0 : value % grain.millionths == 0;
}

class Grains : public testing::Test {
 protected:
  Grain any_grain() {
    constexpr std::int64_t kSome[] = {0,         1,         10'000,    100'000,     250'000,       500'000,
                                      1'000'000, 1'500'000, 7'000'000, 100'000'000, 1'000'000'000, 333'333};
    return {kSome[random_() % std::size(kSome)]};
  }
  Millionths any_of(const Grain& grain) {
    return (static_cast<std::int64_t>(random_() % 2001) - 1000) * Millionths{grain.millionths};
  }
  std::mt19937_64 random_{20261130};
};

TEST_F(Grains, HoldWhatIsMade) {
  constexpr Meaning kOfOne[] = {Meaning::negate, Meaning::abs,   Meaning::sign,  Meaning::floor,
                                Meaning::ceil,   Meaning::trunc, Meaning::round, Meaning::cast};
  constexpr Meaning kOfTwo[] = {Meaning::plus, Meaning::minus, Meaning::times,
                                Meaning::div,  Meaning::mod,   Meaning::dp_bucket};
  const auto expect_held = [](Meaning meaning, const Grained& grain, std::optional<Millionths> value) {
    if (!grain || !value) return false;
    EXPECT_TRUE(is_multiple(*value, *grain)) << static_cast<int>(meaning) << ": " << grain->millionths;
    return true;
  };
  for (int i = 0; i < 50'000; ++i) {
    const Grain x = any_grain(), y = any_grain();
    const Grained other = y;
    const Millionths one = any_of(x), two = any_of(y);
    for (const Meaning meaning : kOfOne)
      EXPECT_TRUE(expect_held(meaning, grain_of_meaning(meaning, x, nullptr, false), made(meaning, one, 0)));
    for (const Meaning meaning : kOfTwo)
      expect_held(meaning, grain_of_meaning(meaning, x, &other, false), made(meaning, one, two));
    for (int digits = -3; digits <= 5; ++digits) {
      const Millionths unit = of_digits(digits)->millionths;
      for (const Millionths value : {cut(one, unit), nearest(one, unit)})
        EXPECT_TRUE(is_multiple(value, *to_digits(x, digits))) << digits << ": " << x.millionths;
    }
  }
}

// Of what nothing is known, too, where the function says it; and of what has the type of whole numbers.
TEST_F(Grains, AreKnownOfWhatRounds) {
  const Grained none, hundred = of_millionths(100'000'000);
  EXPECT_EQ(grain_of_meaning(Meaning::floor, none, nullptr, false), kWhole);
  EXPECT_EQ(grain_of_meaning(Meaning::dp_bucket, none, &hundred, false), hundred);
  EXPECT_EQ(grain_of_meaning(Meaning::div, none, &none, false), kWhole);
  EXPECT_EQ(grain_of_meaning(Meaning::divide, hundred, &hundred, true), kWhole);
  EXPECT_EQ(grain_of_meaning(Meaning::divide, hundred, &hundred, false), none);
  EXPECT_EQ(grain_of_meaning(Meaning::sqrt, hundred, nullptr, false), none);
  EXPECT_EQ(grain_of_meaning(Meaning::times, hundred, &hundred, true), of_millionths(10'000'000'000));
  EXPECT_EQ(grain_of_meaning(Meaning::cast, of_millionths(500'000), nullptr, true), kWhole);
  EXPECT_EQ(to_digits(none, -2), hundred);
  EXPECT_EQ(to_digits(none, 7), none);
  EXPECT_EQ(of_millionths(-100'000'000), *hundred);
}

TEST_F(Grains, SayWhichValuesLieWithinBounds) {
  const auto expect = [](Number lower, Number upper, Grain grain, std::int64_t first, std::int64_t last) {
    const auto found = multiples_within({lower, upper}, grain);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->first, first) << lower;
    EXPECT_EQ(found->last, last) << upper;
  };
  expect(0, 999.5, {100'000'000}, 0, 9);
  expect(-1, 1, kWhole, -1, 1);
  expect(-250, 250, {100'000'000}, -2, 2);
  expect(0.1, 0.3, {100'000}, 1, 3);  // which are no doubles
  expect(double_above(0.1), double_below(0.3), {100'000}, 1, 3);
  expect(0.2, 0.7, kWhole, 1, 0);
  expect(-5, 5, {0}, 0, 0);
  expect(1, 5, {0}, 1, 0);
  EXPECT_FALSE(multiples_within({0, 1e18}, kWhole).has_value());
}

}  // namespace
}  // namespace dp::bounds
