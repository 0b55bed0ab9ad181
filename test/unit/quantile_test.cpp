// The utility of a quantile: what one row changes, on all small tables, and where the grid's points lie.
#include "core/accumulate/quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/mechanism/error.h"
#include "support/selection_laws.h"

namespace dp::test {
namespace {

using aggregate::Fraction;
using aggregate::quantile_rate;
using aggregate::quantile_utilities;
using aggregate::QuantileGrid;
using mechanism::Epsilon;
using noise::Utility;

using Counts = std::vector<std::uint64_t>;

// All tables with at most three rows in each of three cells.
std::vector<Counts> tables() {
  std::vector<Counts> all;
  for (std::uint64_t i = 0; i < 64; ++i) all.push_back({i % 4, i / 4 % 4, i / 16});
  return all;
}

constexpr double kFractions[] = {0, 1e-9, 0.1, 0.25, 1.0 / 3, 0.5, 0.6, 0.9, 1};

TEST(Quantile, OneRowChangesUtilitiesByTheirRange) {
  for (const double q : kFractions) {
    const Fraction fraction = Fraction::from(q);
    Utility widest = 0;
    for (const Counts& counts : tables()) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        Counts more = counts;
        ++more[k];
        const auto before = quantile_utilities(counts, fraction);
        const auto after = quantile_utilities(more, fraction);
        Utility low = std::numeric_limits<std::int64_t>::max(), high = -low;
        for (std::size_t c = 0; c < counts.size(); ++c) {
          low = std::min(low, after[c] - before[c]);
          high = std::max(high, after[c] - before[c]);
        }
        widest = std::max(widest, high - low);
        EXPECT_LE(2 * std::max(high, -low), fraction.range()) << q;
      }
    }
    EXPECT_LE(widest, fraction.range()) << q;
    EXPECT_GE(2 * widest, fraction.range()) << q << ": the range is more than twice too wide";
  }
}

// By the rows of one unit, which may lie anywhere: here one, or two at a point and one at the next.
void expect_loss_within_epsilon(std::uint64_t rows) {
  const Epsilon epsilon = Epsilon::from(0.7);
  for (const double q : kFractions) {
    const Fraction fraction = Fraction::from(q);
    const Real rate = real(quantile_rate(epsilon, fraction, rows));
    Real exponential = 0, flipped = 0;
    for (const Counts& counts : tables()) {
      for (std::size_t k = 0; k < counts.size(); ++k) {
        Counts more = counts;
        more[k] += rows - rows / 3;
        more[(k + 1) % counts.size()] += rows / 3;
        const auto before = quantile_utilities(counts, fraction);
        const auto after = quantile_utilities(more, fraction);
        exponential =
            std::max(exponential, greatest_loss(exponential_law(before, {}, rate), exponential_law(after, {}, rate)));
        flipped =
            std::max(flipped, greatest_loss(permute_and_flip_law(before, rate), permute_and_flip_law(after, rate)));
      }
    }
    EXPECT_LE(exponential, epsilon.value() + 1e-12) << q;
    EXPECT_LE(flipped, epsilon.value() + 1e-12) << q;
    EXPECT_GT(exponential, 0.3 * epsilon.value()) << q;
  }
}

TEST(Quantile, NeighboursLoseAtMostEpsilon) { expect_loss_within_epsilon(1); }

TEST(Quantile, NeighboursByOneUnitLoseAtMostEpsilon) { expect_loss_within_epsilon(3); }

TEST(Quantile, TheQuantilesCellIsTheBest) {
  const auto best = [](const Counts& counts, double q) {
    const auto utilities = quantile_utilities(counts, Fraction::from(q));
    const auto found = std::max_element(utilities.begin(), utilities.end());
    EXPECT_EQ(*found, 0) << "some cell holds the quantile";
    return found - utilities.begin();
  };
  EXPECT_EQ(best({1, 1, 1}, 0.5), 1);
  EXPECT_EQ(best({0, 0, 9, 0}, 0.5), 2);
  EXPECT_EQ(best({2, 1, 1, 16}, 0.25), 3);
  EXPECT_EQ(best({2, 1, 3, 16}, 0.25), 2);
  EXPECT_EQ(best({0, 0, 3, 5}, 0), 2) << "the smallest value";
  EXPECT_EQ(best({5, 0, 3, 0}, 0), 0);
  EXPECT_EQ(best({0, 0, 3, 2, 0}, 1), 3) << "the greatest value";
  const auto nothing = quantile_utilities(Counts{0, 0, 0}, Fraction::from(0.3));
  EXPECT_EQ(nothing, std::vector<Utility>(3, nothing[0])) << "no rows: every point alike";
}

TEST(Quantile, FractionsAreExactDecimals) {
  EXPECT_EQ(Fraction::from(0.3).nano, 300'000'000u);
  EXPECT_EQ(Fraction::from(0.999999999).nano, 999'999'999u);
  EXPECT_EQ(Fraction::from(0.5).range(), Fraction::kPerUnit);
  EXPECT_EQ(Fraction::from(0.25).range(), Fraction::kPerUnit / 2 * 3);
  EXPECT_EQ(Fraction::from(1).range(), 2 * Fraction::kPerUnit);
  for (const double wrong : {-0.1, 1.000001, std::nan(""), HUGE_VAL}) EXPECT_THROW(Fraction::from(wrong), Error);
}

TEST(Quantile, PointsLieEvenlyBetweenTheBounds) {
  const QuantileGrid whole = QuantileGrid::make(120);
  EXPECT_EQ(whole.points(), 121);
  for (std::int64_t i = 0; i <= 120; ++i) {
    EXPECT_EQ(whole.point(i), i);
    EXPECT_EQ(whole.value(i, -20, 100), static_cast<double>(i - 20));
  }
  for (const std::int64_t range : {4000L, 4001L, 123'457L, (1L << 32), (1L << 33) - 1}) {
    const QuantileGrid grid = QuantileGrid::make(range);
    EXPECT_EQ(grid.points(), 4001);
    EXPECT_EQ(grid.point(0), 0);
    EXPECT_EQ(grid.point(range), 4000);
    std::int64_t last = 0;
    for (std::int64_t i = 0; i <= 1000; ++i) {
      const std::int64_t point = grid.point(range / 1000 * i);
      EXPECT_LE(last, point);
      last = point;
    }
  }
  const QuantileGrid fine = QuantileGrid::make(1L << 32);
  EXPECT_EQ(fine.value(100, 0, 100), 2.5);
  EXPECT_EQ(fine.value(4000, 1e300, 1.7e308), 1.7e308);
  EXPECT_EQ(fine.value(0, 1.0 / 3, 7), 1.0 / 3);
  EXPECT_EQ(fine.value(4000, 0, 1.0 / 3), 1.0 / 3);
}

}  // namespace
}  // namespace dp::test
