// Every function whose values have bounds: whatever numbers lie within the bounds of its arguments, what it makes of
// them lies within the bounds that come out. Of whole numbers of all sizes, computed with more digits than they have.
#include "core/bounds/transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace dp::bounds {
namespace {

using Wide = __int128;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Wide size_of(Wide x) { return x < 0 ? -x : x; }

// What PostgreSQL's function of whole numbers comes to, also beyond their type; nothing where it has no value.
std::optional<Wide> computed(Meaning meaning, Wide x, Wide y) {
  switch (meaning) {
    case Meaning::plus:
      return x + y;
    case Meaning::minus:
      return x - y;
    case Meaning::times:
      return x * y;
    case Meaning::divide:
    case Meaning::div:
      return y == 0 ? std::optional<Wide>{} : x / y;
    case Meaning::mod:
      return y == 0 ? std::optional<Wide>{} : x % y;
    case Meaning::gcd:
      return std::gcd(size_of(x), size_of(y));
    case Meaning::lcm:
      return x == 0 || y == 0 ? Wide{0} : size_of(x / std::gcd(size_of(x), size_of(y)) * y);
    case Meaning::bits_and:
      return x & y;
    case Meaning::bits_or:
      return x | y;
    case Meaning::dp_bucket: {
      if (y <= 0) return std::nullopt;
      const Wide rest = (x % y + y) % y;
      return x - rest;
    }
    case Meaning::negate:
      return -x;
    case Meaning::abs:
      return size_of(x);
    case Meaning::sign:
      return (x > 0) - (x < 0);
    case Meaning::bits_not:
      return ~x;
    case Meaning::floor:
    case Meaning::ceil:
    case Meaning::round:
    case Meaning::trunc:
      return x;
    default:
      return std::nullopt;
  }
}

// The number is not taken for another one: as far as it has more digits than a Number, that lies outside.
void expect_within(Wide value, const Bounds& bounds, const std::string& what) {
  const auto near = static_cast<Number>(value);
  EXPECT_LE(bounds->lower, near) << what;
  EXPECT_GE(bounds->upper, near) << what;
  const auto exact = [](Number end) { return std::fabs(end) < std::ldexp(Number{1}, 120); };
  EXPECT_TRUE(!exact(bounds->lower) || static_cast<Wide>(std::floor(bounds->lower)) <= value) << what;
  EXPECT_TRUE(!exact(bounds->upper) || static_cast<Wide>(std::ceil(bounds->upper)) >= value) << what;
}

class Transfers : public testing::Test {
 protected:
  std::int64_t any() {
    constexpr std::int64_t kSpecial[] = {
        0, 1, -1, 2, -2, 7, -7, 10, 1000, (1LL << 53) + 1, kMost, kLeast, kMost - 1, kLeast + 1, (1LL << 31) - 1};
    if (random_() % 2 == 0) return kSpecial[random_() % std::size(kSpecial)];
    const auto bits = static_cast<int>(random_() % 64);
    return static_cast<std::int64_t>(random_()) >> bits;
  }

  struct Range {
    std::int64_t lower, upper;

    Bounds bounds() const { return whole_numbers(lower, upper); }
  };

  Range any_range() {
    const std::int64_t one = any(), other = random_() % 4 == 0 ? one : any();
    return {std::min(one, other), std::max(one, other)};
  }

  std::int64_t any_of(const Range& range) {
    if (random_() % 3 == 0) return random_() % 2 == 0 ? range.lower : range.upper;
    return std::clamp(any(), range.lower, range.upper);
  }

  std::mt19937_64 random_{20261129};
};

constexpr Meaning kOfTwo[] = {Meaning::plus, Meaning::minus, Meaning::times,    Meaning::divide,  Meaning::mod,
                              Meaning::gcd,  Meaning::lcm,   Meaning::bits_and, Meaning::bits_or, Meaning::dp_bucket};
constexpr Meaning kOfOne[] = {Meaning::negate, Meaning::abs,  Meaning::sign,  Meaning::bits_not,
                              Meaning::floor,  Meaning::ceil, Meaning::round, Meaning::trunc};

TEST_F(Transfers, HoldWholeNumbersOfAllSizes) {
  for (const Meaning meaning : kOfTwo) {
    int found = 0;
    for (int i = 0; i < 20'000; ++i) {
      const Range x = any_range(), y = any_range();
      const Bounds second = y.bounds(), bounds = of_meaning(meaning, x.bounds(), &second, true);
      if (!bounds) continue;
      ++found;
      const std::int64_t one = any_of(x), other = any_of(y);
      if (const auto value = computed(meaning, one, other)) {
        expect_within(
            *value, bounds,
            std::to_string(static_cast<int>(meaning)) + ": " + std::to_string(one) + ", " + std::to_string(other));
      }
    }
    EXPECT_GT(found, 1000) << static_cast<int>(meaning);
  }
  for (const Meaning meaning : kOfOne) {
    for (int i = 0; i < 20'000; ++i) {
      const Range x = any_range();
      const std::int64_t one = any_of(x);
      expect_within(*computed(meaning, one, 0), of_meaning(meaning, x.bounds(), nullptr, true),
                    std::to_string(static_cast<int>(meaning)) + ": " + std::to_string(one));
    }
  }
}

// Where nothing has to be rounded the ends are values that there are.
TEST_F(Transfers, AreTight) {
  const Bounds tens = whole_numbers(10, 20), few = whole_numbers(2, 5), none = whole_numbers(-3, 4);
  EXPECT_EQ(of_meaning(Meaning::divide, tens, &few, true), (Interval{2, 10}));
  EXPECT_EQ(of_meaning(Meaning::divide, tens, &none, true), (Interval{-20, 20}));
  EXPECT_EQ(of_meaning(Meaning::mod, tens, &few, true), (Interval{0, 4}));
  EXPECT_EQ(of_meaning(Meaning::gcd, tens, &few, true), (Interval{0, 20}));
  EXPECT_EQ(whole_numbers(kLeast, kMost)->lower, static_cast<Number>(kLeast));
  if (std::numeric_limits<Number>::digits >= 63) {
    EXPECT_EQ(static_cast<std::int64_t>(whole_numbers(kLeast, kMost)->upper), kMost);
  }
}

// What the C library computes of doubles, as PostgreSQL does, from within and at both ends.
TEST_F(Transfers, HoldWhatTheLibraryComputes) {
  struct Function {
    Meaning meaning;
    double (*of)(double);
    double lower, upper;
  };
  const Function functions[] = {{Meaning::sqrt, std::sqrt, 0, 1e9},     {Meaning::cbrt, std::cbrt, -1e9, 1e9},
                                {Meaning::exp, std::exp, -700, 700},    {Meaning::ln, std::log, 1e-9, 1e9},
                                {Meaning::log, std::log10, 1e-9, 1e9},  {Meaning::sin_or_cos, std::sin, -1e6, 1e6},
                                {Meaning::asin, std::asin, -1, 1},      {Meaning::acos, std::acos, -1, 1},
                                {Meaning::atan, std::atan, -1e9, 1e9},  {Meaning::floor, std::floor, -1e9, 1e9},
                                {Meaning::ceil, std::ceil, -1e9, 1e9},  {Meaning::round, std::rint, -1e9, 1e9},
                                {Meaning::trunc, std::trunc, -1e9, 1e9}};
  for (const Function& function : functions) {
    std::uniform_real_distribution<double> numbers(function.lower, function.upper);
    for (int i = 0; i < 20'000; ++i) {
      const double one = numbers(random_), other = numbers(random_);
      const double lower = std::min(one, other), upper = std::max(one, other);
      const Bounds bounds = of_meaning(function.meaning, make(lower, upper), nullptr, false);
      std::uniform_real_distribution<double> between(lower, upper);
      for (const double x : {lower, upper, between(random_)}) {
        ASSERT_LE(bounds->lower, function.of(x)) << static_cast<int>(function.meaning) << ": " << x;
        ASSERT_GE(bounds->upper, function.of(x)) << static_cast<int>(function.meaning) << ": " << x;
      }
    }
  }
}

TEST_F(Transfers, KeepToDoublesWhereValuesAreDoubles) {
  std::uniform_real_distribution<double> numbers(-1e6, 1e6);
  for (int i = 0; i < 20'000; ++i) {
    const double x = numbers(random_), y = numbers(random_);
    const Bounds second = make(y, y);
    const auto expect_held = [&](Meaning meaning, double value) {
      const Bounds bounds = as_doubles(of_meaning(meaning, make(x, x), &second, false));
      ASSERT_LE(bounds->lower, value);
      ASSERT_GE(bounds->upper, value);
    };
    expect_held(Meaning::plus, x + y);
    expect_held(Meaning::minus, x - y);
    expect_held(Meaning::times, x * y);
    expect_held(Meaning::divide, x / y);
  }
}

TEST_F(Transfers, CountBucketsBesideTheOuterOnes) {
  EXPECT_EQ(of_buckets(make(5, 10)), (Interval{0, 11}));
  EXPECT_EQ(of_buckets(std::nullopt), std::nullopt);
}

TEST_F(Transfers, KeepDigitsBehindThePoint) {
  EXPECT_EQ(to_any_digits(make(-1.5, 2.25), make(0, 7)), (Interval{-2, 3}));
  EXPECT_EQ(to_any_digits(make(-1.5, 2.25), make(-1, 7)), std::nullopt);
  EXPECT_EQ(rounded(whole_numbers(kLeast, kMost), 2), whole_numbers(kLeast, kMost));
}

}  // namespace
}  // namespace dp::bounds
