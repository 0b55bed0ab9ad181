// How far numbers are off, and what quotients of them can be then. How often these intervals hold is measured in
// test/stat/interval_coverage_test.cpp.
#include "core/accumulate/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/accumulate/half_width.h"
#include "core/mechanism/error.h"
#include "core/mechanism/loss.h"

namespace dp::aggregate {
namespace {

const noise::DiscreteLaplace kHalf{{1, 2}};  // rate 1/2

TEST(Interval, HalfWidthIsTheSmallestThatHolds) {
  const mechanism::Within within = mechanism::within(kHalf);
  for (const double confidence : {0.01, 0.5, 0.9, 0.95, 0.999}) {
    const auto half = static_cast<double>(half_width(kHalf, 1, confidence));
    EXPECT_GE(within(half), confidence);
    if (half > 0) {
      EXPECT_LT(within(half - 1), confidence);
    }
  }
}

// The union bound: each of several numbers misses with a share of the probability.
TEST(Interval, SeveralNumbersHoldTogether) {
  const mechanism::Within within = mechanism::within(kHalf);
  for (const int coordinates : {2, 3}) {
    const auto half = static_cast<double>(half_width(kHalf, coordinates, 0.95));
    EXPECT_LE(coordinates * (1 - within(half)), 0.05);
  }
  EXPECT_GT(half_width(kHalf, 3, 0.95), half_width(kHalf, 1, 0.95));
}

// By adding up the law of the sum: the width holds, and is not twice as large as it need be.
TEST(Interval, SumsHold) {
  constexpr int kReach = 400;
  const double share = std::exp(-0.5);
  std::vector<double> one(2 * kReach + 1), sum(2 * kReach + 1, 0.0);
  for (int n = -kReach; n <= kReach; ++n) one[n + kReach] = (1 - share) / (1 + share) * std::pow(share, std::abs(n));
  sum[kReach] = 1;
  for (const int summed : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}) {
    std::vector<double> next(sum.size(), 0.0);
    for (int a = -kReach; a <= kReach; ++a) {
      for (int b = std::max(-kReach, a - kReach); b <= std::min(kReach, a + kReach); ++b)
        next[a + kReach] += sum[b + kReach] * one[a - b + kReach];
    }
    sum = next;
    for (const double confidence : {0.5, 0.9, 0.95, 0.999}) {
      const auto half = static_cast<int>(half_width_of_sums(kHalf, summed, 1, confidence));
      const auto within = [&sum](int n) {
        double p = 0;
        for (int a = -n; a <= n; ++a) p += sum[a + kReach];
        return p;
      };
      EXPECT_GE(within(half) + 1e-9, confidence) << summed;
      if (confidence >= 0.95) {
        EXPECT_LT(within(half / 2), confidence) << summed;
      }
    }
  }
  EXPECT_THROW(half_width_of_sums(noise::Staircase{}, 2, 1, 0.9), std::logic_error);
  // Noise as large as it may be is no trouble for the arithmetic.
  EXPECT_GT(half_width_of_sums(noise::DiscreteLaplace{{1, noise::Uint128{1} << 80}}, 100, 2, 0.95), 0);
}

// The sum of n has the deviation of one times the root of n; the bound is one of sub-Gaussian noise.
TEST(Interval, OfSumsOfGaussianNoise) {
  const auto law = noise::GaussianLevel::with(1000, noise::GaussianLevel::kPerUnit);
  for (const int summed : {2, 100}) {
    const double deviation = 1000 * std::sqrt(static_cast<double>(summed));
    const auto half = static_cast<double>(half_width_of_sums(law, summed, 1, 0.95));
    EXPECT_GT(half, 1.96 * deviation) << summed;
    EXPECT_LT(half, 3 * deviation) << summed;
  }
  EXPECT_GT(width_of_weighted_sums(law, 4, 1, 0.5, 0.05), 1.96 * 2000 * std::sqrt(2.25));
}

TEST(Interval, RefusesWhatIsNoConfidence) {
  for (const double confidence : {0.0, 1.0, -1.0, 2.0, std::nan("")}) {
    EXPECT_THROW(half_width(kHalf, 1, confidence), Error) << confidence;
  }
}

QuotientNoise noise_of_rate(noise::Uint128 num, noise::Uint128 den, int numbers, double confidence = 0.95) {
  return {noise::DiscreteLaplace{{num, den}}, 1, numbers, confidence};
}

// What Fieller's interval is: a mean is in it if the combination of the numbers is within the width of its noise.
TEST(Interval, MeanIsWhatTheNoiseAllows) {
  CombinedNoise width(noise::DiscreteLaplace{{1, 100}}, 1, 0.05);
  for (const auto& [above, below] : std::vector<std::pair<int, int>>{
           {5000, 5000}, {300, 9000}, {9000, 300}, {0, 4000}, {200, 300}, {900, 100}, {40, 30}, {100'000, 700'000}}) {
    QuotientNoise noise = noise_of_rate(1, 100, 2);
    const Interval found = mean_interval({above, below}, noise);
    double lower = 2, upper = -1;
    for (int i = 0; i <= 20'000; ++i) {
      const double m = i / 20'000.0;
      if (std::fabs((1 - m) * above - m * below) > width.width(1 - m, m, 0)) continue;
      lower = std::min(lower, m);
      upper = std::max(upper, m);
    }
    const double size = upper - lower;
    EXPECT_NEAR(found.lower, lower, 0.03 * size + 1e-4) << above << ' ' << below;
    EXPECT_NEAR(found.upper, upper, 0.03 * size + 1e-4) << above << ' ' << below;
    EXPECT_LE(found.lower, lower + 1e-12);
    EXPECT_GE(found.upper, upper - 1e-12);
  }
}

// No interval leaves what can be, is empty, or is narrow because the numbers are far outside.
TEST(Interval, IsSoundWhateverTheNumbers) {
  QuotientNoise of_mean = noise_of_rate(1, 10, 2), of_variance = noise_of_rate(1, 10, 3);
  for (int a = -200; a <= 200; a += 25) {
    for (int b = -200; b <= 200; b += 25) {
      const Interval mean = mean_interval({a, b}, of_mean);
      ASSERT_LE(0, mean.lower);
      ASSERT_LE(mean.lower, mean.upper);
      ASSERT_LE(mean.upper, 1);
      for (int m = -200; m <= 200; m += 25) {
        const Interval variance = variance_interval({a, m, b}, of_variance, 1);
        ASSERT_LE(0, variance.lower);
        ASSERT_LE(variance.lower, variance.upper);
        ASSERT_LE(variance.upper, 0.5);
      }
    }
  }
  const Interval outside = mean_interval({-80, 300}, of_mean);
  EXPECT_EQ(outside.lower, 0);
  EXPECT_GT(outside.upper, 0.08);
  const Interval nothing = mean_interval({-80, -300}, of_mean);
  EXPECT_EQ(nothing.upper - nothing.lower, 1);
}

// Around many rows the variance is as uncertain as its combination of numbers, whatever the mean may be.
TEST(Interval, VarianceIsWhatTheNoiseAllows) {
  constexpr double kAll = 1e6, kMean = 0.3, kVariance = 0.04;
  const double square = kVariance + kMean * kMean;
  const MomentTriple noisy{static_cast<Int128>(kAll * square), static_cast<Int128>(kAll * 2 * (kMean - square)),
                           static_cast<Int128>(kAll * (1 - 2 * kMean + square))};
  QuotientNoise noise = noise_of_rate(1, 1000, 3);
  const double half =
      CombinedNoise(noise::DiscreteLaplace{{1, 1000}}, 1, 0.04).width(0.49 - 0.04, 0.21 + 0.04, 0.09 - 0.04) / kAll;
  const Interval found = population_interval(noisy, noise);
  EXPECT_NEAR(kVariance - found.lower, half, 0.05 * half);
  EXPECT_NEAR(found.upper - kVariance, half, 0.05 * half);
  const Interval of_sample = variance_interval(noisy, noise, 1e4);  // a hundred rows
  EXPECT_EQ(of_sample.lower, found.lower);
  EXPECT_NEAR(of_sample.upper, found.upper * 100 / 99, 0.01 * found.upper);
}

// Around few rows the mean may lie far from the noisy one, and the variance around it is greater by the square of that.
TEST(Interval, VarianceIsAroundAnyMeanThatTheNoiseAllows) {
  constexpr double kAll = 2e4;
  const MomentTriple noisy{5'000, 10'000, 5'000};  // all rows at the middle: a variance of 0
  QuotientNoise noise = noise_of_rate(1, 1000, 3);
  const Interval means = mean_interval_of_moments(noisy, noise), found = population_interval(noisy, noise);
  const double farthest = means.upper - 0.5;
  EXPECT_GT(farthest, 0.2);
  const double weight = means.upper * means.upper;  // of both ends
  const double half =
      CombinedNoise(noise::DiscreteLaplace{{1, 1000}}, 1, 0.04).width(weight, 0.25 + found.upper, weight) / kAll;
  EXPECT_LT(found.upper, 0.25);
  EXPECT_NEAR(found.upper, farthest * farthest + half, 0.05 * farthest * farthest);
}

// The mean of 30 in 0..100 is that of X^2 + XY and all; the two have noise in common, so that it is as certain as that.
TEST(Interval, MeanOfMomentsIsWhatTheNoiseAllows) {
  const MomentTriple noisy{900'000, 4'200'000, 4'900'000};
  QuotientNoise noise = noise_of_rate(1, 1000, 2);
  const double half = CombinedNoise(noise::DiscreteLaplace{{1, 1000}}, 1, 0.05).width(1 - 0.3, 0.5 - 0.3, 0.3) / 1e7;
  const Interval found = mean_interval_of_moments(noisy, noise);
  EXPECT_NEAR(0.3 - found.lower, half, 0.05 * half);
  EXPECT_NEAR(found.upper - 0.3, half, 0.05 * half);
}

TEST(Interval, IsNarrowWhereRowsAreMany) {
  QuotientNoise noise = noise_of_rate(1, 10, 2);
  const Interval found = mean_interval({500'000'000, 500'000'000}, noise);
  EXPECT_NEAR(found.lower, 0.5, 2e-7);
  EXPECT_NEAR(found.upper, 0.5, 2e-7);
}

// Noise of none is no error.
TEST(Interval, IsAPointWithoutNoise) {
  QuotientNoise of_mean = noise_of_rate(1000, 1, 2), of_variance = noise_of_rate(1000, 1, 3);
  const Interval mean = mean_interval({30, 70}, of_mean);
  EXPECT_NEAR(mean.lower, 0.3, 1e-12);
  EXPECT_NEAR(mean.upper, 0.3, 1e-12);
  const Interval variance = population_interval({25, 50, 25}, of_variance);
  EXPECT_NEAR(variance.lower, 0, 1e-12);
  EXPECT_NEAR(variance.upper, 0, 1e-12);
}

}  // namespace
}  // namespace dp::aggregate
