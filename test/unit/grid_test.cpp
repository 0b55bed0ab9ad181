// The grid: whatever the value, a row's steps lie between those of the bounds, and so one row changes an answer by no
// more than the noise was made for.
#include "core/accumulate/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/error.h"

namespace dp::aggregate {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMost = std::numeric_limits<double>::max();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();

const std::vector<Bounds> kRealBounds = {
    {0, 1},           {0, 120},          {-5, 5},           {-1, 0},           {5, 10},
    {-10, -5},        {0.1, 0.3},        {1e15, 1e15 + 10}, {-1e15, 1e15},     {-kMost / 2, kMost / 2},
    {0, kMost},       {-1e308, 0},       {1e-290, 1e-280},  {-1e-290, 1e-290}, {0x1p53, 0x1p53 + 2},
    {-0.0, 1},        {-1e308, 0.7e308}, {1, 1 + 0x1p-52},  {0, 0x1p32},       {0, 0x1p32 + 1},
    {0, 4294967297.5}};

// In ascending order, NaN aside.
std::vector<double> ugly_values(const Bounds& bounds) {
  std::vector<double> values = {-kInf,   -kMost,  -1e308,   -0x1p63, -0x1p53 - 2, -0x1p53, -1e15,  -1,    -1e-290,
                                -2e-308, -5e-324, -0.0,     0.0,     5e-324,      2e-308,  1e-290, 0.1,   0.5,
                                1,       1e15,    1e15 + 3, 0x1p53,  0x1p53 + 2,  0x1p63,  1e308,  kMost, kInf};
  for (const double end : {bounds.lower, bounds.upper, bounds.lower / 2 + bounds.upper / 2}) {
    for (const double value : {end, std::nextafter(end, -kInf), std::nextafter(end, kInf)}) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::string refusal(double lower, double upper, Origin origin) {
  try {
    RealGrid::make(checked_bounds(lower, upper), origin);
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
  return "accepted";
}

TEST(Bounds, BadOnesAreRefusedByName) {
  for (const auto& [lower, upper] :
       std::vector<std::pair<double, double>>{{kNaN, 1}, {0, kNaN}, {-kInf, 1}, {0, kInf}, {-kInf, kInf}}) {
    EXPECT_NE(refusal(lower, upper, Origin::zero).find("finite"), std::string::npos);
  }
  EXPECT_NE(refusal(1, 1, Origin::zero).find("1 must be below upper bound 1"), std::string::npos);
  EXPECT_NE(refusal(2.5, -1, Origin::zero).find("2.5 must be below upper bound -1"), std::string::npos);
  EXPECT_NE(refusal(-0.0, 0.0, Origin::zero), "accepted");
}

TEST(RealGrid, BoundsWithoutAStepAreRefused) {
  EXPECT_NE(refusal(0, 5e-324, Origin::zero), "accepted");
  EXPECT_NE(refusal(0, 1e-300, Origin::lower), "accepted");
  EXPECT_NE(refusal(-1e308, 1e308, Origin::lower).find("too far apart"), std::string::npos);
  EXPECT_EQ(refusal(-1e308, 1e308, Origin::zero), "accepted");
  EXPECT_EQ(refusal(-1e-290, 1e-290, Origin::zero), "accepted");
}

TEST(RealGrid, StepsAreMonotoneAndWithinThoseOfTheBounds) {
  for (const Bounds& bounds : kRealBounds) {
    for (const Origin origin : {Origin::zero, Origin::lower}) {
      SCOPED_TRACE(testing::Message() << bounds.lower << " to " << bounds.upper);
      const RealGrid grid = RealGrid::make(bounds, origin);
      const std::int64_t low = grid.steps(bounds.lower), high = grid.steps(bounds.upper);
      if (origin == Origin::lower) {
        EXPECT_EQ(low, 0);
      }
      const std::int64_t reach = std::max(std::abs(low), std::abs(high));
      EXPECT_LE(reach, std::int64_t{1} << 32) << "finer than the grid may be";
      EXPECT_GE(reach, std::int64_t{1} << 31) << "coarser than the grid must be";
      EXPECT_EQ(grid.steps(kNaN), high);
      EXPECT_EQ(grid.steps(-kNaN), high);
      std::int64_t before = low;
      for (const double value : ugly_values(bounds)) {
        const std::int64_t steps = grid.steps(value);
        EXPECT_LE(before, steps) << value;
        EXPECT_LE(steps, high) << value;
        before = steps;
      }
      EXPECT_EQ(grid.steps(kInf), high);
      EXPECT_EQ(grid.steps(-kInf), low);
    }
  }
}

// The step is a power of two of half a step's error at most: the grid is no coarser than it says.
TEST(RealGrid, StepsStandForTheValue) {
  std::mt19937_64 random(3);
  for (const Bounds& bounds : kRealBounds) {
    const RealGrid grid = RealGrid::make(bounds, Origin::zero);
    EXPECT_EQ(grid.inverse, std::ldexp(1.0, -grid.exponent));
    for (int i = 0; i < 200; ++i) {
      const double share = static_cast<double>(random()) / 0x1p64;
      const double value = std::clamp(bounds.lower * (1 - share) + bounds.upper * share, bounds.lower, bounds.upper);
      EXPECT_LE(std::fabs(std::ldexp(value, -grid.exponent) - static_cast<double>(grid.steps(value))), 0.5);
    }
  }
}

struct IntegerCase {
  Bounds bounds;
  std::int64_t low, high;  // after rounding
};
const std::vector<IntegerCase> kIntegerCases = {{{0, 120}, 0, 120},
                                                {{0.5, 10.5}, 0, 10},
                                                {{-1e30, 1e30}, kFirst, kLast},
                                                {{-3.4, -1.6}, -3, -2},
                                                {{1e15, 1e15 + 10}, 1'000'000'000'000'000, 1'000'000'000'000'010},
                                                {{0, 1e30}, 0, kLast},
                                                {{-0x1p63, 0}, kFirst, 0},
                                                {{-0x1p53, 0x1p53}, -(1ll << 53), 1ll << 53},
                                                {{0, 0x1p62}, 0, 1ll << 62},
                                                {{0x1p62, 0x1p63}, 1ll << 62, kLast}};

TEST(IntegerGrid, StepsAreMonotoneAndWithinThoseOfTheBounds) {
  for (const auto& [bounds, low, high] : kIntegerCases) {
    for (const Origin origin : {Origin::zero, Origin::lower}) {
      for (const int max_bits : {32, 62, 63}) {
        if (origin == Origin::lower && max_bits == 63) continue;  // as sums use it
        SCOPED_TRACE(testing::Message() << bounds.lower << " to " << bounds.upper << " in " << max_bits << " bits");
        const IntegerGrid grid = IntegerGrid::make(bounds, origin, max_bits);
        EXPECT_EQ(grid.low, low);
        EXPECT_EQ(grid.high, high);
        const std::int64_t first = grid.steps(low), last = grid.steps(high);
        if (origin == Origin::zero) {
          EXPECT_EQ(grid.exponent, 0);
          EXPECT_EQ(first, low);
          EXPECT_EQ(last, high);
        } else {
          EXPECT_EQ(first, 0);
          EXPECT_LE(last, std::int64_t{1} << max_bits);
          if (grid.exponent > 0) {
            EXPECT_GE(last, std::int64_t{1} << (max_bits - 1)) << "coarser than need be";
          }
        }
        std::int64_t before = first;
        for (const std::int64_t value : std::initializer_list<std::int64_t>{
                 kFirst, kFirst + 1, -(1ll << 53), -4ll, -3ll, -2ll, -1ll, 0ll, 1ll, 9ll, 10ll, 11ll, 120ll, 121ll,
                 1'000'000'000'000'003ll, 1ll << 53, 1ll << 62, kLast - 1, kLast}) {
          EXPECT_LE(before, grid.steps(value)) << value;
          EXPECT_LE(grid.steps(value), last) << value;
          before = grid.steps(value);
        }
      }
    }
  }
}

TEST(IntegerGrid, BoundsThatRoundToOneNumberAreRefused) {
  EXPECT_THROW(IntegerGrid::make({0.1, 0.4}, Origin::zero, 63), Error);
  EXPECT_THROW(IntegerGrid::make({-0.5, 0.5}, Origin::zero, 63), Error);
  EXPECT_THROW(IntegerGrid::make({6.9, 7.1}, Origin::lower, 62), Error);
  EXPECT_THROW(IntegerGrid::make({1e20, 1e30}, Origin::lower, 62), Error);
  const IntegerGrid seven = IntegerGrid::make({6.9, 7.1}, Origin::zero, 63);  // every row is a 7
  EXPECT_EQ(seven.steps(-100), 7);
}

// What one row adds, for each aggregate and any row, against the changes that src/aggregate/kinds calibrate to.
void expect_row_within_changes(std::int64_t steps, std::int64_t low, std::int64_t high, std::int64_t range) {
  const auto magnitude = [](Int128 x) { return x < 0 ? -static_cast<Uint128>(x) : static_cast<Uint128>(x); };
  if (range == 0) {
    SumState state{{Tag::sum}, 0};
    state.add(steps);
    EXPECT_TRUE(magnitude(static_cast<Int128>(state.total)) <= std::max(magnitude(low), magnitude(high)));
    return;
  }
  MeanState mean{{Tag::mean}, 0, 0};
  mean.add(steps);
  const MeanPair pair = mean_pair(mean, range);
  EXPECT_TRUE(pair.above >= 0 && pair.below >= 0);
  EXPECT_TRUE(magnitude(pair.above) + magnitude(pair.below) == static_cast<Uint128>(range));
  if (range > std::int64_t{1} << 32) return;
  MomentsState moments{{Tag::moments}, 0, 0, 0};
  moments.add(steps);
  const MomentTriple triple = moment_triple(moments, range);
  EXPECT_TRUE(triple.above >= 0 && triple.mixed >= 0 && triple.below >= 0);
  EXPECT_TRUE(magnitude(triple.above) + magnitude(triple.mixed) + magnitude(triple.below) ==
              static_cast<Uint128>(range) * static_cast<Uint128>(range));
}

TEST(Sensitivity, OneRealRowStaysWithinTheChanges) {
  std::mt19937_64 random(4);
  for (const Bounds& bounds : kRealBounds) {
    for (const Origin origin : {Origin::zero, Origin::lower}) {
      SCOPED_TRACE(testing::Message() << bounds.lower << " to " << bounds.upper);
      const RealGrid grid = RealGrid::make(bounds, origin);
      std::vector<double> values = ugly_values(bounds);
      values.push_back(kNaN);
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t word = random();
        double any;  // any bits are a double, NaNs and denormals among them
        std::memcpy(&any, &word, sizeof any);
        values.push_back(any);
        values.push_back(bounds.lower +
                         (bounds.upper / 2 - bounds.lower / 2) * 2 * (static_cast<double>(random()) / 0x1p64));
      }
      const std::int64_t low = grid.steps(bounds.lower), high = grid.steps(bounds.upper);
      for (const double value : values)
        expect_row_within_changes(grid.steps(value), low, high, origin == Origin::lower ? high : 0);
    }
  }
}

TEST(Sensitivity, OneIntegerRowStaysWithinTheChanges) {
  std::mt19937_64 random(5);
  for (const auto& [bounds, low, high] : kIntegerCases) {
    const IntegerGrid sum = IntegerGrid::make(bounds, Origin::zero, 63);
    const IntegerGrid mean = IntegerGrid::make(bounds, Origin::lower, 62);
    const IntegerGrid moments = IntegerGrid::make(bounds, Origin::lower, 32);
    for (int i = 0; i < 500; ++i) {
      const std::int64_t value =
          i < 2 ? (i == 0 ? kFirst : kLast) : static_cast<std::int64_t>(random()) >> random() % 64;
      expect_row_within_changes(sum.steps(value), sum.steps(low), sum.steps(high), 0);
      expect_row_within_changes(mean.steps(value), 0, 0, mean.steps(high));
      expect_row_within_changes(moments.steps(value), 0, 0, moments.steps(high));
    }
  }
}

// Over many rows the coordinates add up to rows * range and rows * range^2, to the last bit.
TEST(Sensitivity, CoordinatesAddUpOverManyRows) {
  std::mt19937_64 random(6);
  for (const std::int64_t range :
       {std::int64_t{1}, std::int64_t{10}, (std::int64_t{1} << 31) + 7, std::int64_t{1} << 32}) {
    MeanState mean{{Tag::mean}, 0, 0};
    MomentsState moments{{Tag::moments}, 0, 0, 0};
    for (int row = 0; row < 5000; ++row) {
      const std::int64_t steps = static_cast<std::int64_t>(random() % (static_cast<std::uint64_t>(range) + 1));
      mean.add(steps);
      moments.add(steps);
    }
    const MeanPair pair = mean_pair(mean, range);
    const MomentTriple triple = moment_triple(moments, range);
    const auto rows = static_cast<Int128>(5000), r = static_cast<Int128>(range);
    EXPECT_TRUE(pair.above + pair.below == rows * r);
    EXPECT_TRUE(triple.above + triple.mixed + triple.below == rows * r * r);
    EXPECT_TRUE(2 * triple.above + triple.mixed == 2 * r * pair.above);
  }
}

}  // namespace
}  // namespace dp::aggregate
