// What is said of a function in one place agrees with what the others say of it: rows of traits with bounds, multiples
// and steps; and facts are put together in whatever order.
#include "core/bounds/traits.h"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "core/bounds/course.h"
#include "core/bounds/grain.h"
#include "core/bounds/transfer.h"
#include "guard/facts/known.h"

namespace dp::bounds {
namespace {

constexpr int kMeanings = static_cast<int>(Meaning::capped) + 1;

Bounds of(Meaning meaning, const Bounds& x, bool two, bool whole) {
  const Bounds ten = make(10, 10);
  return of_meaning(meaning, x, two ? &ten : nullptr, whole);
}

TEST(Traits, OfWhatRoundsSayThatItHasStepsAndNeverFalls) {
  int rounding = 0;
  for (int i = 0; i < kMeanings; ++i) {
    const auto meaning = static_cast<Meaning>(i);
    if (!traits_of(meaning).rounds) continue;
    ++rounding;
    const bool two = meaning == Meaning::div;
    const Course course = two ? course_of(meaning, kItself, 10, false) : course_of(meaning, kItself);
    EXPECT_EQ(course.varies, Varies::in_steps) << i;
    for (double x = -25; x < 25; x += 0.25) {
      const Bounds here = of(meaning, make(x, x), two, false), next = of(meaning, make(x + 0.25, x + 0.25), two, false);
      ASSERT_TRUE(here && next) << i;
      EXPECT_LE(here->lower, next->lower) << i << " at " << x;
      EXPECT_LE(here->upper, next->upper) << i << " at " << x;
    }
  }
  EXPECT_EQ(rounding, 5);
}

TEST(Traits, OfWhatShowsNoDigitsSayWholeNumbers) {
  for (int i = 0; i < kMeanings; ++i) {
    const auto meaning = static_cast<Meaning>(i);
    const Grained hundredths = of_millionths(10'000), ones = kWhole;
    const bool two = meaning == Meaning::div || meaning == Meaning::plus || meaning == Meaning::minus ||
                     meaning == Meaning::times || meaning == Meaning::mod;
    if (traits_of(meaning).digits == Digits::none) {
      EXPECT_EQ(grain_of_meaning(meaning, hundredths, two ? &hundredths : nullptr, false), ones) << i;
    }
    if (traits_of(meaning).digits == Digits::as_arguments) {
      EXPECT_EQ(grain_of_meaning(meaning, ones, two ? &ones : nullptr, false), ones) << i;
    }
  }
}

// A call that fails only where it leaves its type is let pass by the bounds of its value: there must be some.
TEST(Traits, OfWhatIsExactHaveBounds) {
  for (int i = 0; i < kMeanings; ++i) {
    const auto meaning = static_cast<Meaning>(i);
    if (traits_of(meaning).exact == Exact::never) continue;
    const Bounds some = whole_numbers(3, 20);
    EXPECT_TRUE(of(meaning, some, false, true) || of(meaning, some, true, true)) << i;
  }
}

Bounds any(std::mt19937& random) {
  const auto number = [&] { return static_cast<Number>(static_cast<int>(random() % 2001) - 1000); };
  const Number one = number(), other = number();
  return make(std::min(one, other), std::max(one, other));
}

bool holds(const Bounds& outer, const Bounds& inner) {
  return outer && inner && outer->lower <= inner->lower && inner->upper <= outer->upper;
}

TEST(Joins, OfBoundsHoldBothInAnyOrder) {
  std::mt19937 random{1};
  for (int i = 0; i < 1000; ++i) {
    const Bounds x = any(random), y = any(random), z = any(random);
    EXPECT_TRUE(holds(either(x, y), x) && holds(either(x, y), y));
    EXPECT_EQ(either(x, y), either(y, x));
    EXPECT_EQ(either(either(x, y), z), either(x, either(y, z)));
    EXPECT_EQ(either(x, x), x);
    EXPECT_FALSE(either(x, std::nullopt));
    EXPECT_TRUE(holds(x, within(x, y)));
    EXPECT_EQ(within(x, std::nullopt), x);
  }
}

TEST(Joins, OfMultiplesDivideBothInAnyOrder) {
  std::mt19937 random{2};
  for (int i = 0; i < 1000; ++i) {
    const auto one = [&] { return Grained(of_millionths(static_cast<std::int64_t>(random() % 100'000))); };
    const Grained x = one(), y = one(), z = one(), both = common(x, y);
    ASSERT_TRUE(both);
    if (both->millionths != 0) {
      EXPECT_EQ(x->millionths % both->millionths, 0);
      EXPECT_EQ(y->millionths % both->millionths, 0);
    }
    EXPECT_EQ(both, common(y, x));
    EXPECT_EQ(common(common(x, y), z), common(x, common(y, z)));
    EXPECT_FALSE(common(x, std::nullopt));
  }
}

TEST(Joins, OfStepsHaveThoseOfBothInAnyOrder) {
  std::mt19937 random{3};
  const auto one = [&]() -> Course {
    switch (random() % 5) {
      case 0:
        return {};
      case 1:
        return course_of(Meaning::sign, kItself);
      default:
        return course_of(Meaning::dp_bucket, kItself, static_cast<double>(random() % 400 + 1) / 4, false);
    }
  };
  for (int i = 0; i < 1000; ++i) {
    const Course x = one(), y = one(), z = one();
    const auto same = [](const Course& a, const Course& b) { return a.varies == b.varies && a.width == b.width; };
    EXPECT_TRUE(same(course_of_both(x, y), course_of_both(y, x)));
    EXPECT_TRUE(same(course_of_both(course_of_both(x, y), z), course_of_both(x, course_of_both(y, z))));
    EXPECT_TRUE(same(course_of_both(x, x), x));
    EXPECT_EQ(course_of_both(x, kItself).varies, Varies::anywhere);
  }
}

}  // namespace
}  // namespace dp::bounds

namespace dp::guard {
namespace {

using Proven = Known<Sound::proven, int>;
using Declared = Known<Sound::declared, int>;

// What somebody has declared admits no call that may fail: the compiler refuses it.
static_assert(std::is_convertible_v<Proven, Declared>);
static_assert(!std::is_constructible_v<Proven, Declared>);
static_assert(!std::is_assignable_v<Proven&, Declared>);

TEST(Known, WhatIsProvenIsAsGoodAsDeclared) {
  const Proven seven = std::optional(7);
  const Declared declared = seven;
  EXPECT_TRUE(declared);
  EXPECT_EQ(*declared, 7);
  EXPECT_FALSE(Declared(Proven(std::nullopt)));
}

}  // namespace
}  // namespace dp::guard
