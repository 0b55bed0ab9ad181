// Quantiles over gaps: the law of their draws, against the exponential mechanism over all points written from its
// definition; what neighbours lose by it; and where they lie.
#include "core/accumulate/gaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/accumulate/open_grid.h"
#include "core/accumulate/quantiles.h"
#include "core/accumulate/short_decimal.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/gap_laws.h"

namespace dp::aggregate {
namespace gaps_tests {

using noise::BitSource;
using noise::Ratio;
using noise::Utility;

using test::law_of_points;
using test::Rows;

struct Case {
  Rows rows;
  Stretch stretch;
  Utility rank;
  std::uint64_t unit;
  std::uint64_t parts;
  Ratio rate;
  double teeth;  // what may stay open at that depth
};

TEST(Gaps, DrawsHaveTheirLaw) {
  const Case cases[] = {
      {{}, {0, 0, 0, 3}, 0, 1, 1, {1, 1}, 0},
      {{}, {0, 0, 0, 3}, 7, 1, 1, {1, 1}, 0},
      {{1}, {0, 1, 0, 3}, 0, 1, 1, {1, 1}, 0.1},
      {{1}, {0, 1, 0, 3}, 1, 2, 1, {1, 1}, 0.1},
      {{0, 2, 2}, {0, 3, 0, 3}, 2, 1, 1, {1, 1}, 0.2},
      {{0, 2, 2}, {0, 3, 0, 3}, 9, 1, 1, {2, 1}, 0.2},
      {{0, 2, 2, 3}, {1, 3, 1, 3}, 3, 2, 1, {1, 2}, 0.2},
      {{0, 0, 1, 1, 1}, {0, 5, 0, 1}, 4, 1, 2, {1, 1}, 0.2},
      {{0, 0, 0, 0, 4}, {0, 5, 0, 7}, 5, 1, 1, {3, 1}, 0.2},
  };
  for (const auto& [rows, stretch, rank, unit, parts, rate, teeth] : cases) {
    SCOPED_TRACE(testing::Message() << rows.size() << " rows, rank " << static_cast<int>(rank));
    const PointsInMemory sorted(rows);
    const auto seen = test::enumerate(
        22, [&](BitSource& bits) { return choose_by_rank(sorted, stretch, rank, unit, parts, rate, bits).point; });
    test::expect_encloses(seen, law_of_points(rows, stretch, rank, unit, parts, rate), teeth);
  }
}

// What the whole of dp_quantile tells, with the rate of its epsilon: small tables that differ by one row, or by a unit.
TEST(Gaps, NeighboursLoseAtMostEpsilon) {
  const mechanism::Epsilon epsilon = mechanism::Epsilon::from(0.8);
  constexpr std::int64_t kLast = 4;
  const auto law = [&](Rows rows, Fraction fraction, unsigned at_once) {
    std::sort(rows.begin(), rows.end());
    const Utility one = Fraction::kPerUnit;
    const Utility rank = (static_cast<Utility>(rows.size()) - 1) * fraction.nano + one / 2;
    return law_of_points(rows, {0, rows.size(), 0, kLast}, rank, Fraction::kPerUnit, 1,
                         quantile_rate(epsilon, fraction, at_once));
  };
  test::Real worst = 0;
  for (const double q : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const Fraction fraction = Fraction::from(q);
    for (const Rows& rows : {Rows{}, Rows{2}, Rows{0, 4}, Rows{1, 1, 3}, Rows{2, 2, 2}}) {
      for (std::uint32_t a = 0; a <= kLast; ++a) {
        Rows more = rows;
        more.push_back(a);
        worst = std::max(worst, test::greatest_loss(law(rows, fraction, 1), law(more, fraction, 1)));
        more.push_back((a * 3 + 1) % (kLast + 1));
        EXPECT_LE(test::greatest_loss(law(rows, fraction, 2), law(more, fraction, 2)), epsilon.value() + 1e-12) << q;
      }
    }
  }
  EXPECT_LE(worst, epsilon.value() + 1e-12);
  EXPECT_GT(worst, 0.75 * epsilon.value());
}

std::vector<Fraction> fractions_of(const std::vector<double>& values) {
  std::vector<Fraction> fractions;
  for (const double value : values) fractions.push_back(Fraction::from(value));
  return fractions;
}

// Many quantiles of rows that are few values: as those of quantiles.h by counts, at an epsilon where each is the best.
TEST(Gaps, PartTheRowsOfAPoint) {
  test::SeededBits bits(3);
  Rows rows(6000, 0);
  for (std::uint32_t i = 1; i <= 100; ++i) rows.insert(rows.end(), 40, i * 1000);
  const auto points = quantiles_in_gaps(PointsInMemory(rows), 200'000, fractions_of({0.25, 0.5, 0.745, 0.9001}),
                                        {1'000'000'000'000}, 1, bits);
  EXPECT_EQ(points[0], 0);
  EXPECT_EQ(points[1], 0);
  EXPECT_NEAR(static_cast<double>(points[2]), 37'000, 2000);
  EXPECT_NEAR(static_cast<double>(points[3]), 76'000, 2000);
}

// Far more points than could be counted, most of them in one gap.
TEST(Gaps, FindWhatIsInASmallPart) {
  test::SeededBits bits(4);
  Rows rows;
  for (std::uint32_t i = 0; i < 20'000; ++i) rows.push_back(1'000'000 + i);
  const PointsInMemory sorted(rows);
  const auto nine = fractions_of({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  for (int round = 0; round < 20; ++round) {
    const auto one = quantiles_in_gaps(sorted, 4'000'000'000, fractions_of({0.5}), {1'000'000'000}, 1, bits);
    EXPECT_NEAR(static_cast<double>(one[0]), 1'010'000, 60);
    const auto points = quantiles_in_gaps(sorted, 4'000'000'000, nine, {1'000'000'000}, 1, bits);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
    for (std::size_t i = 0; i < nine.size(); ++i)
      EXPECT_NEAR(static_cast<double>(points[i]), 1'000'000 + 20'000.0 * nine[i].nano * 1e-9, 400) << i;
  }
  EXPECT_EQ(quantiles_in_gaps(PointsInMemory({}), 0, nine, {1'000'000'000}, 1, bits), std::vector<std::int64_t>(9, 0));
}

// With k rows at once the rate is a k-th: answers are k times as many ranks off.
TEST(Gaps, RowsThatChangeAtOnceDivideTheRate) {
  test::SeededBits bits(9);
  Rows rows;
  for (std::uint32_t i = 0; i < 4000; ++i) rows.push_back(1000 * i);
  const auto off = [&](unsigned at_once) {
    double sum = 0;
    for (int i = 0; i < 400; ++i)
      sum += std::fabs(static_cast<double>(quantiles_in_gaps(PointsInMemory(rows), 4'000'000, fractions_of({0.5}),
                                                             {1'000'000'000}, at_once, bits)[0]) /
                           1000 -
                       2000);
    return sum / 400;
  };
  EXPECT_NEAR(off(1), 1, 0.3);
  EXPECT_NEAR(off(20), 20, 6);
}

TEST(Gaps, SortsPoints) {
  std::mt19937 random(5);
  Rows rows(100'000);
  for (auto& row : rows) row = static_cast<std::uint32_t>(random()) >> (random() % 32);
  Rows sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  sort_points(rows);
  EXPECT_EQ(rows, sorted);
}

// Points of values without bounds: monotone, whole numbers exact, and others to the digits that there are.
TEST(OpenGrid, HasThePointsNearestToSteps) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(), kMax = -(kMin + 1);
  for (const int digits : {6, 24}) {
    const OpenGrid grid = OpenGrid::make(digits, kMin, kMax);
    EXPECT_EQ(grid.point(kMin), 0);
    EXPECT_EQ(grid.point(kMax), grid.points() - 1);
    EXPECT_LE(grid.points(), std::int64_t{1} << 32);
    EXPECT_EQ(grid.step(grid.point(0)), 0);
    std::mt19937_64 random(6);
    std::vector<std::int64_t> steps{kMin, -1, 0, 1, 2, 3, kMax};
    for (int i = 0; i < 2000; ++i) steps.push_back(static_cast<std::int64_t>(random()) >> (random() % 63));
    std::sort(steps.begin(), steps.end());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto step = static_cast<double>(steps[i]);
      const double near = grid.step(grid.point(steps[i]));
      if (std::fabs(step) <= std::ldexp(1, digits + 1)) {
        EXPECT_EQ(near, step);
      }
      EXPECT_LE(std::fabs(near - step), std::ldexp(std::fabs(step), -digits - 1));
      if (i > 0) {
        EXPECT_LE(grid.point(steps[i - 1]), grid.point(steps[i]));
      }
    }
  }
  const OpenGrid positive = OpenGrid::make(6, 0, 1000);
  EXPECT_EQ(positive.point(0), 0);
  EXPECT_EQ(positive.step(0), 0);
  EXPECT_EQ(positive.step(positive.points() - 1), 1000);
  const OpenGrid negative = OpenGrid::make(6, -1000, -1);
  EXPECT_EQ(negative.step(0), -1000);
  EXPECT_EQ(negative.step(negative.points() - 1), -1);
}

TEST(ShortDecimal, IsTheShortestOneNearby) {
  EXPECT_EQ(shortest_decimal(0.0010000001639127731, 1e-9), 0.001);
  EXPECT_EQ(shortest_decimal(12.339999999, 1e-6), 12.34);
  EXPECT_EQ(shortest_decimal(-49'999.9996, 0.001), -50'000);
  EXPECT_EQ(shortest_decimal(123.456, 0), 123.456);
  EXPECT_EQ(shortest_decimal(0, 0), 0);
  EXPECT_EQ(shortest_decimal(1e300 / 3, 1e296), 3.333e299);
}

}  // namespace gaps_tests
}  // namespace dp::aggregate
