// The spread of values without bounds: near the exact one where values lie anywhere, and as far off as its noise says.
#include "core/accumulate/open_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/bits.h"

namespace dp::aggregate {
namespace open_spread_tests {

constexpr mechanism::Epsilon kOne{1'000'000'000};
constexpr std::int64_t kMost = std::int64_t{1} << 62;
const OpenGrid kGrid = OpenGrid::make(24, -kMost, kMost);

std::vector<std::uint32_t> points_of(const std::vector<std::int64_t>& values) {
  std::vector<std::uint32_t> points;
  for (const std::int64_t value : values) points.push_back(static_cast<std::uint32_t>(kGrid.point(value)));
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<std::int64_t> evenly(std::int64_t from, std::int64_t to, int rows) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < rows; ++i) values.push_back(from + (to - from) * i / (rows - 1));
  return values;
}

double deviation(const std::vector<std::int64_t>& values, mechanism::Epsilon epsilon, unsigned at_once,
                 noise::BitSource& bits) {
  const auto points = points_of(values);
  return std::sqrt(OpenSpread(PointsInMemory(points), kGrid, epsilon, at_once, bits).variance());
}

// Years, ages, what is below zero, large amounts: a range of their own size is found.
TEST(OpenSpread, FindsWhereValuesLie) {
  test::SeededBits bits(1);
  const std::pair<std::int64_t, std::int64_t> ranges[] = {
      {1990, 2020}, {0, 100}, {-300, -100}, {-5, 5}, {1'000'000'000, 9'000'000'000'000}};
  for (const auto& [from, to] : ranges) {
    const double exact = static_cast<double>(to - from) / std::sqrt(12);
    for (int round = 0; round < 5; ++round)
      EXPECT_NEAR(deviation(evenly(from, to, 100'000), kOne, 1, bits) / exact, 1, 0.05) << from;
  }
}

// A few far values are cut: they would take the range with them.
TEST(OpenSpread, CutsAFewFarOnes) {
  test::SeededBits bits(2);
  auto values = evenly(0, 1000, 100'000);
  for (int i = 0; i < 20; ++i) values[static_cast<std::size_t>(i)] = kMost / 2;
  EXPECT_NEAR(deviation(values, kOne, 1, bits), 289, 20);
}

TEST(OpenSpread, IsAboutExactAtALargeEpsilon) {
  test::SeededBits bits(3);
  const mechanism::Epsilon large{1'000'000'000'000'000};
  EXPECT_NEAR(deviation(evenly(-1000, 3000, 10'001), large, 1, bits), 4000 / std::sqrt(12), 2);
  const auto points = points_of(evenly(0, 60, 61));
  const OpenSpread spread(PointsInMemory(points), kGrid, large, 1, bits);
  EXPECT_NEAR(spread.variance(), 61 * 62 / 12.0, 0.5);
  EXPECT_NEAR(spread.population_variance(), 60 * 62 / 12.0, 0.5);
}

// Few rows, or none, are told from many: also where a window was chosen that holds them all and is far too wide.
TEST(OpenSpread, TellsWhereNoRangeIsFound) {
  test::SeededBits bits(4);
  const auto found = [&](const std::vector<std::int64_t>& values, unsigned at_once) {
    const auto points = points_of(values);
    int count = 0;
    for (int round = 0; round < 100; ++round) {
      const OpenSpread spread(PointsInMemory(points), kGrid, kOne, at_once, bits);
      EXPECT_GE(spread.variance(), 0);
      if (!spread.is_found()) continue;
      ++count;
      EXPECT_LT(std::sqrt(spread.variance()), 3000) << values.size();
    }
    return count;
  };
  EXPECT_LE(found({}, 1), 2);
  EXPECT_LE(found({5}, 3), 2);
  EXPECT_LE(found(evenly(0, 4000, 45), 1), 5);
  EXPECT_GE(found(evenly(0, 4000, 2'000), 1), 95);
  EXPECT_LE(found(evenly(0, 4000, 2'000), 50), 5);
  EXPECT_GE(found(std::vector<std::int64_t>(2'000, 1'000'000), 1), 85);
}

// Values that fill the greatest magnitude's range, which is nearly always found as a whole: beside that, answers are
// as far off as the noise of three quarters of epsilon makes them.
TEST(OpenSpread, ThreeQuartersOfEpsilonAreForTheMoments) {
  test::SeededBits bits(6);
  std::mt19937_64 random(6);
  const auto values = evenly(-1023, 1023, 20'000);
  const auto points = points_of(values);
  const double square = static_cast<double>(OpenSpread::kSteps) * OpenSpread::kSteps;
  MomentsState state{};
  for (const std::int64_t value : values) state.add((value + 1024) * OpenSpread::kSteps / 2048);
  const MomentTriple exact = moment_triple(state, OpenSpread::kSteps);
  const auto middle_half = [](std::vector<double>& of) {
    std::sort(of.begin(), of.end());
    return of[of.size() * 3 / 4] - of[of.size() / 4];
  };
  for (const unsigned at_once : {1U, 4U}) {
    std::exponential_distribution<double> side(0.75 / at_once / square);
    const auto noise = [&] { return static_cast<noise::Int128>(side(random) - side(random)); };
    std::vector<double> ours, theirs;
    for (int round = 0; round < 600; ++round) {
      const OpenSpread spread(PointsInMemory(points), kGrid, kOne, at_once, bits);
      ours.push_back(spread.population_variance());
      const double position =
          population_position({exact.above + noise(), exact.mixed + noise(), exact.below + noise()});
      theirs.push_back(position * 2048 * 2048);
    }
    EXPECT_NEAR(middle_half(ours) / middle_half(theirs), 1, 0.18) << at_once;
  }
}

}  // namespace open_spread_tests
}  // namespace dp::aggregate
