// Quantiles that are chosen at once: what neighbours lose by their law, written from its definition, and where they
// lie.
#include "core/accumulate/quantiles_together.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/mechanism/error.h"
#include "core/noise/enclosed.h"
#include "support/bits.h"
#include "support/gap_laws.h"

namespace dp::aggregate {
namespace quantiles_together_tests {

using test::fractions_of;
using test::law_together;
using test::Rows;

// One row more, anywhere: whichever numbers of rows there are to choose from, and however many rows are in a point.
TEST(QuantilesTogether, NeighboursLoseAtMostEpsilon) {
  constexpr std::int64_t kLast = 3;
  const noise::Ratio rate{2, 5};
  test::Real worst = 0;
  for (const auto& values : {std::vector<double>{0.3, 0.6}, {0, 0.5}, {0.1, 0.2, 0.9}}) {
    const auto fractions = fractions_of(values);
    for (const std::vector<std::uint64_t>& totals : {std::vector<std::uint64_t>{3}, {1, 4, 7}}) {
      for (Rows rows : {Rows{}, Rows{2}, Rows{0, 3}, Rows{1, 1, 1, 3}}) {
        const auto before = law_together(rows, kLast, fractions, totals, 2, rate);
        for (std::uint32_t point = 0; point <= kLast; ++point) {
          Rows more = rows;
          more.push_back(point);
          std::sort(more.begin(), more.end());
          worst = std::max(worst, test::greatest_loss(before, law_together(more, kLast, fractions, totals, 2, rate)));
        }
      }
    }
  }
  EXPECT_LE(worst, 0.8 + 1e-12);
  EXPECT_GT(worst, 0.5);
}

TEST(QuantilesTogether, AreRowsWhereEpsilonIsLarge) {
  test::SeededBits bits(4);
  Rows rows;
  for (std::uint32_t i = 0; i < 101; ++i) rows.push_back(1'000 + 10 * i);
  const auto fractions = fractions_of({0, 0.25, 0.5, 0.75, 0.99});
  const auto points =
      quantiles_together(PointsInMemory(rows), 4'000'000'000, fractions, {1'000'000'000'000'000}, 1, bits);
  EXPECT_EQ(points, (std::vector<std::int64_t>{1000, 1250, 1500, 1750, 1990}));
}

// However few rows there are, and of a single point: in order, and between the ends.
TEST(QuantilesTogether, NeverCross) {
  test::SeededBits bits(5);
  const auto fractions = fractions_of({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1});
  for (const Rows& rows : {Rows{}, Rows{7}, Rows(30, 7), Rows{1, 2, 3, 4, 1'000'000'000}, Rows(3000, 0)}) {
    for (const std::int64_t last : {std::int64_t{1'000'000'000}, std::int64_t{4'294'967'295}}) {
      const auto points = quantiles_together(PointsInMemory(rows), last, fractions, {1'000'000'000}, 2, bits);
      ASSERT_EQ(points.size(), 12u);
      EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
      EXPECT_GE(points.front(), 0);
      EXPECT_LE(points.back(), last);
    }
  }
  EXPECT_EQ(quantiles_together(PointsInMemory({}), 0, fractions, {100'000'000}, 1, bits),
            std::vector<std::int64_t>(12, 0));
}

// Several are in one gap between few rows: proposals that cross are few all the same, or this would take minutes.
TEST(QuantilesTogether, AreSoonFoundInOneGap) {
  test::SeededBits bits(6);
  const auto fractions = fractions_of({0.001, 0.002, 0.003, 0.004, 0.995, 0.996, 0.997, 0.998, 0.999});
  Rows rows;
  for (std::uint32_t i = 0; i < 30; ++i) rows.push_back(i * 140'000'000 + i * i * 50'000);
  for (int i = 0; i < 20; ++i) {
    const auto points = quantiles_together(PointsInMemory(rows), 4'294'967'295, fractions, {30'000'000'000}, 1, bits);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  }
}

// By the law of sums of Laplace variables two of many rows are missed by 2.4/epsilon. It holds where the numbers of
// rows to choose from reach as far as the noise of their middle.
TEST(QuantilesTogether, AreAsCloseAsTheirLaw) {
  test::SeededBits bits(8);
  const auto fractions = fractions_of({1.0 / 3, 2.0 / 3});
  Rows rows;
  for (std::uint32_t i = 0; i < 3000; ++i) rows.push_back(i * 1000);
  double squares = 0;
  constexpr int kTimes = 500;
  for (int i = 0; i < kTimes; ++i) {
    const auto points =
        quantiles_together(PointsInMemory(rows), 2'999'000, fractions, mechanism::Epsilon::from(1), 1, bits);
    for (const std::size_t q : {0u, 1u}) {
      const double missed = (static_cast<double>(points[q]) - static_cast<double>(q + 1) * 999'667) / 1000;
      squares += missed * missed / (2 * kTimes);
    }
  }
  EXPECT_LT(squares, 7.5);
  EXPECT_GT(squares, 4);
}

TEST(QuantilesTogether, DivideEpsilonWithoutARest) {
  const auto parts = TogetherEpsilon::of({100'000'001});
  EXPECT_EQ(parts.rows.nano + parts.choice.nano, 100'000'001u);
  EXPECT_EQ(parts.rows.nano, 3'125'000u);
  EXPECT_THROW(TogetherEpsilon::of({31}), Error);
}

TEST(Enclosed, HoldsPowersOfE) {
  using noise::Integer;
  for (const auto& [num, den] : {std::pair{0, 1}, {1, 1}, {1, 3}, {7, 2}, {100, 7}, {2000, 3}}) {
    for (const unsigned precision : {8u, 64u, 150u, 1100u}) {
      const auto e = noise::exp_enclosed(Integer(num), Integer(den), precision);
      EXPECT_LE(e.low, e.high);
      EXPECT_LE(e.high - e.low, 4);
      if (precision == 150) {
        const test::Real exact = ldexp(exp(-test::Real(num) / test::Real(den)), 150);
        EXPECT_LE(test::Real(e.low.str().c_str()), exact + 1);
        EXPECT_GE(test::Real(e.high.str().c_str()), exact - 1);
      }
    }
  }
}

}  // namespace quantiles_together_tests
}  // namespace dp::aggregate
