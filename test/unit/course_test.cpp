// Constant between grid points: whatever is computed from a number in steps is the same for all numbers between two
// multiples of the width that comes out. Computed exactly, with fractions.
#include "core/bounds/course.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace dp::bounds {
namespace {

// A number as a fraction, with its sign; small enough that nothing overflows.
struct Exact {
  __int128 over;
  __int128 under;
};

Exact reduced(__int128 over, __int128 under) {
  __int128 x = over < 0 ? -over : over, y = under;
  while (y != 0) {
    const __int128 rest = x % y;
    x = y;
    y = rest;
  }
  return {over / x, under / x};
}

Exact plus(Exact x, Exact y) { return reduced(x.over * y.under + y.over * x.under, x.under * y.under); }
Exact times(Exact x, Exact y) { return reduced(x.over * y.over, x.under * y.under); }
Exact negative(Exact x) { return {-x.over, x.under}; }
Exact inverse(Exact x) { return x.over < 0 ? Exact{-x.under, -x.over} : Exact{x.under, x.over}; }
bool same(Exact x, Exact y) { return x.over == y.over && x.under == y.under; }

__int128 floored(Exact x) { return x.over / x.under - (x.over % x.under < 0); }
__int128 cut(Exact x) { return x.over / x.under; }
Exact whole(__int128 x) { return {x, 1}; }

Exact nearest(Exact x) {  // halves away from zero
  return x.over < 0 ? negative(nearest(negative(x))) : whole(floored(plus(x, {1, 2})));
}

Exact power_of_ten(int exponent) {
  __int128 power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? Exact{1, power} : Exact{power, 1};
}

struct Operation {
  Meaning meaning;
  bool has_constant = false;
  Exact constant{0, 1};
  bool first = false;
};

Exact computed(const Operation& operation, Exact x) {
  const Exact c = operation.constant;
  switch (operation.meaning) {
    case Meaning::plus:
      return plus(x, c);
    case Meaning::minus:
      return operation.first ? plus(c, negative(x)) : plus(x, negative(c));
    case Meaning::times:
      return times(x, c);
    case Meaning::divide:
      return times(x, inverse(c));
    case Meaning::div:
      return whole(cut(times(x, inverse(c))));
    case Meaning::dp_bucket:
      return times(whole(floored(times(x, inverse(c)))), c);
    case Meaning::negate:
      return negative(x);
    case Meaning::abs:
      return x.over < 0 ? negative(x) : x;
    case Meaning::sign:
      return whole((x.over > 0) - (x.over < 0));
    case Meaning::floor:
      return whole(floored(x));
    case Meaning::ceil:
      return negative(whole(floored(negative(x))));
    case Meaning::trunc:
    case Meaning::round: {
      const Exact unit = power_of_ten(operation.has_constant ? -static_cast<int>(c.over) : 0);
      const Exact units = times(x, inverse(unit));
      return times(operation.meaning == Meaning::trunc ? whole(cut(units)) : nearest(units), unit);
    }
    default:
      return x;
  }
}

Course course(const Operation& operation, const Course& x) {
  if (!operation.has_constant) return course_of(operation.meaning, x);
  const double constant = static_cast<double>(operation.constant.over) / static_cast<double>(operation.constant.under);
  return course_of(operation.meaning, x, constant, operation.first);
}

class Operations {
 public:
  Operation next() {
    constexpr Meaning kOfOne[] = {Meaning::negate, Meaning::abs,   Meaning::sign, Meaning::floor,
                                  Meaning::ceil,   Meaning::trunc, Meaning::round};
    constexpr Meaning kOfTwo[] = {Meaning::plus, Meaning::minus, Meaning::times, Meaning::divide,
                                  Meaning::div,  Meaning::round, Meaning::trunc, Meaning::dp_bucket};
    constexpr Exact kConstants[] = {{1, 10}, {1, 4}, {1, 2}, {1, 1}, {3, 1}, {7, 1}, {10, 1}, {25, 2}, {20, 1}};
    if (any(2) == 0) return {kOfOne[any(7)]};
    Operation operation{kOfTwo[any(8)], true};
    if (operation.meaning == Meaning::round || operation.meaning == Meaning::trunc) {
      operation.constant = {any(4) - 2, 1};
      return operation;
    }
    operation.constant = kConstants[any(9)];
    if (any(3) == 0 && operation.meaning != Meaning::dp_bucket) operation.constant = negative(operation.constant);
    operation.first = operation.meaning != Meaning::divide && operation.meaning != Meaning::div &&
                      operation.meaning != Meaning::dp_bucket && any(2) == 0;
    return operation;
  }
  int any(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

 private:
  std::mt19937 random_{29};
};

Exact computed(const std::vector<Operation>& operations, Exact x) {
  for (const Operation& operation : operations) x = computed(operation, x);
  return x;
}

TEST(Course, IsConstantBetweenMultiplesOfItsWidth) {
  Operations random;
  int in_steps = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<Operation> operations(static_cast<std::size_t>(random.any(4) + 1));
    Course course = kItself;
    for (Operation& operation : operations) {
      operation = random.next();
      course = bounds::course(operation, course);
    }
    if (course.varies != Varies::in_steps) continue;
    ++in_steps;
    // 0: on each side of 0 it is one value.
    const bool at_zero_alone = course.width.over == 0;
    const Exact width = at_zero_alone ? whole(100'000) : Exact{course.width.over, course.width.under};
    const Exact begins = times(width, whole(at_zero_alone ? random.any(2) - 1 : random.any(201) - 100));
    const Exact middle = computed(operations, plus(begins, times(width, {1, 2})));
    for (const Exact place : {Exact{1, 1000}, Exact{1, 7}, Exact{5, 9}, Exact{999, 1000}})
      ASSERT_TRUE(same(middle, computed(operations, plus(begins, times(width, place))))) << "chain " << i;
  }
  EXPECT_GT(in_steps, 5000);
}

TEST(Course, NeverFallsWhereItRises) {
  Operations random;
  int rising = 0, steps = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<Operation> operations(static_cast<std::size_t>(random.any(4) + 1));
    Course course = kItself;
    for (Operation& operation : operations) {
      operation = random.next();
      course = bounds::course(operation, course);
    }
    if (course.varies == Varies::anywhere || !course.rises) continue;
    ++rising;
    steps += course.varies == Varies::in_steps;
    Exact last = computed(operations, whole(-40));
    for (int x = -399; x <= 400; x += 7) {
      const Exact next = computed(operations, {x, 10});
      ASSERT_LE(last.over * next.under, next.over * last.under) << "chain " << i << " at " << x;
      last = next;
    }
  }
  EXPECT_GT(rising, 2000);
  EXPECT_GT(steps, 1000);
}

TEST(Course, RisesUnlessItIsTurned) {
  EXPECT_TRUE(course_of(Meaning::floor, course_of(Meaning::divide, kItself, 10, false)).rises);
  EXPECT_TRUE(course_of(Meaning::dp_bucket, kItself, 10, false).rises);
  EXPECT_FALSE(course_of(Meaning::negate, kItself).rises);
  EXPECT_FALSE(course_of(Meaning::abs, kItself).rises);
  EXPECT_FALSE(course_of(Meaning::minus, kItself, 10, true).rises);
  EXPECT_FALSE(course_of(Meaning::floor, course_of(Meaning::times, kItself, -1, false)).rises);
  EXPECT_FALSE(course_of_both(course_of(Meaning::floor, kItself), Course{}).rises);
}

// A function and its argument turn each other round.
TEST(Course, HasTheDirectionOfItsFunctions) {
  EXPECT_EQ(direction_of(Meaning::negate), -1);
  EXPECT_EQ(direction_of(Meaning::cast), 1);
  EXPECT_EQ(direction_of(Meaning::abs), 0);
  EXPECT_EQ(direction_of(Meaning::minus, 7, true), -1);
  EXPECT_EQ(direction_of(Meaning::times, -2, true), -1);
  EXPECT_EQ(direction_of(Meaning::div, -2, false), -1);
  EXPECT_EQ(direction_of(Meaning::divide, 2, true), 0);
  EXPECT_EQ(direction_of(Meaning::mod, 2, false), 0);
}

// What depends on two of them is the same where both are.
TEST(Course, OfTwoIsConstantWhereBothAre) {
  const Course tens = course_of(Meaning::trunc, kItself, -1, false), fours = course_of(Meaning::div, kItself, 4, false);
  const Course both = course_of_both(tens, fours);
  EXPECT_EQ(both.varies, Varies::in_steps);
  EXPECT_EQ(both.width, (Fraction{2, 1}));
  EXPECT_EQ(course_of_both(both, Course{}).width, both.width);
  EXPECT_EQ(course_of_both(both, kItself).varies, Varies::anywhere);
  EXPECT_EQ(course_of_both(Course{}, kItself).varies, Varies::anywhere);
  EXPECT_EQ(course_of_both(Course{}, Course{}).varies, Varies::never);
}

struct Example {
  const char* written;
  Course course;
  double width;
};

Course floor_of(const Course& x) { return course_of(Meaning::floor, x); }

TEST(Course, HasTheWidestCells) {
  const auto with = [](Meaning meaning, double constant, bool first = false, const Course& x = kItself) {
    return course_of(meaning, x, constant, first);
  };
  const Example examples[] = {
      {"floor(x)", floor_of(kItself), 1},
      {"floor(x / 10)", floor_of(with(Meaning::divide, 10)), 10},
      {"floor(x / -10)", floor_of(with(Meaning::divide, -10)), 10},
      {"floor(x * 4)", floor_of(with(Meaning::times, 4)), 0.25},
      {"floor((x - 20) / 10)", floor_of(with(Meaning::divide, 10, false, with(Meaning::minus, 20))), 10},
      {"floor((x - 1) / 3)", floor_of(with(Meaning::divide, 3, false, with(Meaning::minus, 1))), 1},
      {"floor(x * 3 + 1)", floor_of(with(Meaning::plus, 1, false, with(Meaning::times, 3))), 1.0 / 3},
      {"floor((100 - x) / 10)", floor_of(with(Meaning::divide, 10, false, with(Meaning::minus, 100, true))), 10},
      {"floor(abs(x) - 20.5)", floor_of(with(Meaning::minus, 20.5, false, course_of(Meaning::abs, kItself))), 0.5},
      {"floor(x / 0.3)", floor_of(with(Meaning::divide, 0.3)), 0.3},
      {"floor(x / 0.3333333333)", floor_of(with(Meaning::divide, 0.3333333333)), 0.3333333333},
      {"round(x, 2)", with(Meaning::round, 2), 0.005},
      {"trunc(x, -2)", with(Meaning::trunc, -2), 100},
      {"sign(x)", course_of(Meaning::sign, kItself), 0},
      {"sign(x - 50)", course_of(Meaning::sign, with(Meaning::minus, 50)), 50},
      {"dp_bucket(x, 2.5)", with(Meaning::dp_bucket, 2.5), 2.5}};
  for (const Example& example : examples) {
    EXPECT_EQ(example.course.varies, Varies::in_steps) << example.written;
    EXPECT_EQ(as_double(example.course.width), example.width) << example.written;
  }
}

TEST(Course, OfOthersIsAnywhere) {
  EXPECT_EQ(course_of(Meaning::sqrt, kItself).varies, Varies::anywhere);
  EXPECT_EQ(course_of(Meaning::divide, kItself, 10, true).varies, Varies::anywhere);
  EXPECT_EQ(course_of(Meaning::divide, kItself, 0, false).varies, Varies::anywhere);
  EXPECT_EQ(course_of(Meaning::power, kItself, 2, false).varies, Varies::anywhere);
  EXPECT_EQ(course_of(Meaning::round, kItself, 300, false).varies, Varies::anywhere);
  EXPECT_EQ(floor_of(course_of(Meaning::times, kItself, NAN, false)).varies, Varies::anywhere);
  // What has steps keeps them, whatever becomes of it.
  EXPECT_EQ(course_of(Meaning::sqrt, floor_of(kItself)).width, (Fraction{1, 1}));
}

// Numbers that are divided before they are cut may be rounded to the next cell.
TEST(Course, SaysWhatWasCalculatedBefore) {
  EXPECT_FALSE(floor_of(kItself).calculated);
  EXPECT_FALSE(course_of(Meaning::round, kItself, 2, false).calculated);
  EXPECT_TRUE(floor_of(course_of(Meaning::divide, kItself, 10, false)).calculated);
  EXPECT_TRUE(floor_of(course_of(Meaning::abs, kItself)).calculated);
  EXPECT_TRUE(course_of(Meaning::dp_bucket, kItself, 10, false).calculated);
  EXPECT_TRUE(course_of_both(floor_of(kItself), course_of(Meaning::div, kItself, 10, false)).calculated);
}

TEST(Fraction, IsTheDecimalNumberThatWasWritten) {
  EXPECT_EQ(as_fraction(0.05), (Fraction{1, 20}));
  EXPECT_EQ(as_fraction(-12.5), (Fraction{25, 2}));
  EXPECT_EQ(as_fraction(1e8), (Fraction{100'000'000, 1}));
  EXPECT_EQ(as_fraction(0), (Fraction{0, 1}));
  EXPECT_EQ(as_fraction(INFINITY), std::nullopt);
  EXPECT_EQ(as_fraction(1e300), std::nullopt);
  EXPECT_EQ(as_fraction(1e-300), std::nullopt);
  for (const double written : {0.1, 2.54, 1.0 / 3, 1e-7, 123456.789}) {
    ASSERT_TRUE(as_fraction(written)) << written;
    EXPECT_EQ(as_double(*as_fraction(written)), written);
  }
}

}  // namespace
}  // namespace dp::bounds
