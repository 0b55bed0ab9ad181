// Limits of units of which no bin has enough to stand out from its noise.
#include "core/accumulate/faint_counts.h"
#include "core/accumulate/chosen_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/mechanism/mechanism.h"
#include "core/noise/discrete_laplace.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

using test::SeededBits;

LimitScale open_scale() { return LimitScale::of_open_totals({INT64_MIN, INT64_MAX}, false); }

// What is chosen for units, many times, at a quarter of epsilon.
std::vector<ChosenLimit> chosen_for(const LimitScale& scale, const std::vector<double>& units, double epsilon,
                                    int times = 150) {
  const noise::DiscreteLaplace noise{mechanism::Epsilon::from(epsilon / 4).per(1)};
  SeededBits bits(11);
  std::vector<ChosenLimit> chosen;
  for (int time = 0; time < times; ++time) {
    noise::Int128 counts[LimitScale::kMost + 1] = {};
    for (const double unit : units) ++counts[static_cast<std::size_t>(scale.bin_of(static_cast<noise::Uint128>(unit)))];
    for (noise::Int128& count : counts) count += noise.sample(bits);
    chosen.push_back(
        choose_limit(scale, {counts, static_cast<std::size_t>(scale.size()) + 1}, epsilon / 4, epsilon * 3 / 4, false));
  }
  return chosen;
}

double part_found(const std::vector<ChosenLimit>& chosen) {
  return static_cast<double>(std::ranges::count(chosen, true, &ChosenLimit::found)) /
         static_cast<double>(chosen.size());
}

std::vector<double> falling_rows(int size) {
  std::mt19937_64 random(6);
  std::geometric_distribution<int> law(0.2);
  std::vector<double> units;
  for (int i = 0; i < size; ++i) units.push_back(1 + law(random));
  return units;
}

TEST(FaintCounts, OfNobodyFindNothing) {
  for (const LimitScale& scale : {LimitScale::of_rows(), open_scale()})
    EXPECT_LE(part_found(chosen_for(scale, {}, 0.1)), 0.06);
}

// Where a limit may be of any size, something is found in one answer of 200 at most: 20 of 4,000 on average. These are
// fewer than 10 where it is one of 1,000.
TEST(FaintCounts, OfNobodyFindNoTotalsOfAnySize) {
  for (const double epsilon : {0.1, 20.0}) EXPECT_LT(part_found(chosen_for(open_scale(), {}, epsilon, 4000)), 0.0025);
}

// One bin of 163 is as large as ln(163/2e-4) = 13.6 by noise alone once in 10,000.
TEST(FaintCounts, StandOutAloneWhereNoiseHardlyDoes) {
  const LimitScale scale = open_scale();
  constexpr double kCounted = 0.01;
  const auto found = [&](noise::Int128 units) {
    noise::Int128 counts[LimitScale::kMost + 1] = {};
    counts[40] = units;
    return choose_limit(scale, {counts, static_cast<std::size_t>(scale.size()) + 1}, kCounted, 0.03, false).found;
  };
  EXPECT_FALSE(found(1300));
  EXPECT_TRUE(found(1370));
  const double alpha = std::exp(-kCounted), bins = scale.size() + 1;
  const double by_noise = 1 - std::pow(1 - std::pow(alpha, 1362) / (1 + alpha), bins);
  EXPECT_GT(by_noise, 0.99e-4);
  EXPECT_LT(by_noise, 1.01e-4);
}

// By noise alone the counts are no likelier under laws that were written down before: what is asked of their average is
// passed in one of 200 at most (Markov). The mean for one bin, of all laws of discrete Laplace noise.
TEST(FaintCounts, AreNoLikelierByNoiseAlone) {
  for (const double rate : {0.005, 0.1, 1.0, 5.0}) {
    for (const double shift : {0.3, 1.0, 2.7, 6.0, 40.0}) {
      const double alpha = std::exp(-rate);
      double mean = 0;
      for (int noise = -100'000; noise <= 100'000; ++noise)
        mean += (1 - alpha) / (1 + alpha) * std::exp(-std::fabs(noise * rate - shift));
      EXPECT_LE(mean, 1 + 1e-9) << rate << ' ' << shift;
    }
  }
}

// Where one unit would stand out, and none does, there is none.
TEST(FaintCounts, AreNotFaintWhereOneUnitStandsOut) {
  for (const ChosenLimit& one : chosen_for(open_scale(), {}, 100)) {
    EXPECT_TRUE(one.found);
    EXPECT_EQ(one.cut, 0);
  }
}

// Units in several bins together, of which none has more than seven times its noise.
TEST(FaintCounts, StandOutTogether) {
  const LimitScale scale = LimitScale::of_rows();
  const std::vector<double> units = falling_rows(200);
  const auto error = [&](int number) {
    const auto limit = static_cast<double>(scale.limit(number));
    double all = 0, left = 0;
    for (const double unit : units) all += unit, left += std::min(unit, limit);
    return std::hypot(all - left, std::sqrt(2.0) * limit / (0.3 * 3 / 4)) / all;
  };
  double best = INFINITY;
  for (int number = 0; number < scale.size(); ++number) best = std::min(best, error(number));
  std::vector<double> errors;
  const auto chosen = chosen_for(scale, units, 0.3);
  for (const ChosenLimit& one : chosen) errors.push_back(error(one.number));
  std::ranges::sort(errors);
  EXPECT_LT(errors[errors.size() / 2], 2 * best);
  EXPECT_GT(part_found(chosen), 0.6);
}

// Nothing is usual among totals of any size: where nothing is found the answer is next to nothing, and it is said.
TEST(FaintCounts, OfTotalsOfAnySizeAreLeftOutWhereNothingIsFound) {
  const auto chosen = chosen_for(open_scale(), std::vector<double>(100, 12'345), 0.05);
  EXPECT_LT(part_found(chosen), 0.05);
  for (const ChosenLimit& one : chosen) EXPECT_TRUE(one.found || one.number == 0);
}

// Of rows some are usual.
TEST(FaintCounts, OfRowsAreThoughtToBeUsualOnes) {
  const LimitScale scale = LimitScale::of_rows();
  std::vector<double> limits;
  for (const ChosenLimit& one : chosen_for(scale, std::vector<double>(50, 3), 0.05)) limits.push_back(one.number);
  std::ranges::sort(limits);
  EXPECT_LE(limits[limits.size() / 2], scale.usual());
}

}  // namespace
}  // namespace dp::aggregate
