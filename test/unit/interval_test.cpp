// Intervals around answers: they hold the exact one whenever no number is off by more than the half width.
#include "core/accumulate/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

TEST(Interval, RefusesWhatIsNoConfidence) {
  for (const double confidence : {0.0, 1.0, -1.0, 2.0, std::nan("")}) {
    EXPECT_THROW(half_width(kHalf, 1, confidence), Error) << confidence;
  }
}

// All numbers of the noise from -half to half, around few rows and many.
TEST(Interval, MeanIsInsideWhateverTheNoise) {
  constexpr std::int64_t kRange = 4;
  constexpr Int128 kNoise = 6;
  for (std::uint64_t rows = 1; rows < 6; ++rows) {
    for (std::uint64_t total = 0; total <= rows * kRange; ++total) {
      MeanState state{};
      state.rows = rows;
      state.total = total;
      const MeanPair exact = mean_pair(state, kRange);
      const double truth = mean_position(exact);
      for (Int128 a = -kNoise; a <= kNoise; ++a) {
        for (Int128 b = -kNoise; b <= kNoise; ++b) {
          const Interval found = mean_interval({exact.above + a, exact.below + b}, kNoise);
          ASSERT_LE(found.lower, truth);
          ASSERT_GE(found.upper, truth);
          ASSERT_GE(found.lower, 0);
          ASSERT_LE(found.upper, 1);
        }
      }
    }
  }
}

TEST(Interval, VarianceIsInsideWhateverTheNoise) {
  constexpr std::int64_t kRange = 2;
  constexpr Int128 kNoise = 3;
  for (const auto& values :
       {std::vector<int>{0, 2}, {1, 1, 1}, {0, 0, 2, 2}, {0, 1, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 0, 0}}) {
    MomentsState state{};
    for (const int x : values) {
      state.rows += 1;
      state.total += static_cast<unsigned>(x);
      state.total_squares += static_cast<unsigned>(x * x);
    }
    const MomentTriple exact = moment_triple(state, kRange);
    const double truth = variance_position(exact, kRange * kRange);
    for (Int128 a = -kNoise; a <= kNoise; ++a) {
      for (Int128 m = -kNoise; m <= kNoise; ++m) {
        for (Int128 b = -kNoise; b <= kNoise; ++b) {
          const MomentTriple noisy{exact.above + a, exact.mixed + m, exact.below + b};
          const Interval found = variance_interval(noisy, kNoise, kRange * kRange);
          ASSERT_LE(found.lower, truth + 1e-12);
          ASSERT_GE(found.upper, truth - 1e-12);
        }
      }
    }
  }
}

TEST(Interval, IsNarrowWhereRowsAreMany) {
  const Interval found = mean_interval({500'000, 500'000}, 10);
  EXPECT_NEAR(found.lower, 0.5, 2e-5);
  EXPECT_NEAR(found.upper, 0.5, 2e-5);
}

}  // namespace
}  // namespace dp::aggregate
