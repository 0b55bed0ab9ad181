// The running totals of a stream: what a row changes of all numbers, however many periods there will be; how far totals
// are off; and what neighbouring streams really lose, enumerated.
#include "core/accumulate/stream_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/loss.h"
#include "core/mechanism/mechanism_text.h"

namespace dp::aggregate {
namespace {

using noise::Int128;
using noise::Uint128;

struct Stream {
  Int128 value;
};

// That of all periods that there may be, added up one by one.
TEST(StreamSums, NormIsThatOfAllWeights) {
  const StreamWeights weights(kMostPeriods);
  Uint128 squares = 0, sum = 0;
  for (int k = 0; k < kMostPeriods; ++k) {
    ASSERT_GE(weights.of(k), 0);
    squares += static_cast<Uint128>(weights.of(k)) * static_cast<Uint128>(weights.of(k));
    sum += static_cast<Uint128>(weights.of(k));
  }
  EXPECT_TRUE(squares == kStreamNormSquared);
  EXPECT_TRUE(sum < Uint128{1} << 34);
  EXPECT_EQ(weights.of(0), 1 << kStreamBits);
  EXPECT_EQ(weights.of(1), static_cast<std::int64_t>(0.5 * 5 / 6 * (1 << kStreamBits)));
}

// Weights of more periods begin with those of fewer: what was told stays told.
TEST(StreamSums, WeightsDoNotDependOnTheirNumber) {
  const StreamWeights few(10), many(1000);
  for (int k = 0; k < few.periods(); ++k) EXPECT_EQ(few.of(k), many.of(k));
}

// One row in any period: the numbers that follow change by the weights, and by nothing else.
TEST(StreamSums, RowChangesNumbersByTheWeights) {
  constexpr int kPeriods = 40;
  const StreamWeights weights(kPeriods);
  for (int row = 0; row < kPeriods; row += 13) {
    std::vector<Stream> with(kPeriods), without(kPeriods);
    for (int t = 0; t < kPeriods; ++t) with[t].value = without[t].value = 7 * t;
    ++with[static_cast<std::size_t>(row)].value;
    Uint128 squares = 0;
    for (int t = 0; t < kPeriods; ++t) {
      const auto size = static_cast<std::size_t>(t);
      const auto number = [&](const std::vector<Stream>& counts) {
        return (counts[size].value << kStreamBits) + weights.past({&counts[0].value, size});
      };
      const Int128 change = number(with) - number(without);
      EXPECT_TRUE(change == (t < row ? 0 : weights.of(t - row)));
      squares += static_cast<Uint128>(change * change);
    }
    EXPECT_TRUE(squares <= kStreamNormSquared);
  }
}

// Without noise the counts come back.
TEST(StreamSums, CountsAreReadBack) {
  constexpr std::size_t kPeriods = 300;
  const StreamWeights weights(kPeriods);
  std::vector<Stream> counts;
  std::vector<double> said;
  for (std::size_t t = 0; t < kPeriods; ++t) {
    const Int128 count = static_cast<Int128>((t * 7919) % 1009) - 300;
    const Int128 past = weights.past({t == 0 ? nullptr : &counts[0].value, t});
    said.push_back(weights.count_of(((count << kStreamBits) + past) << 5, said, 5));
    counts.push_back({count});
    EXPECT_NEAR(said.back(), static_cast<double>(count), 1e-6);
  }
  double sum = 0;
  for (const double one : said) sum += one;
  EXPECT_NEAR(total_of(said), sum, 1e-6);
}

// Of the totals of so many periods the last one, against the root of the matrix of ones made for just as many, which
// is within a few hundredths of the best.
TEST(StreamSums, ErrorIsNearThatOfAKnownLength) {
  double best = 0, coefficient = 1;
  int k = 0;
  for (const int periods : {1, 2, 8, 32, 128, 1024, 4096, 16384}) {
    for (; k < periods; ++k) {
      if (k > 0) coefficient *= (2.0 * k - 1) / (2.0 * k);
      best += coefficient * coefficient;
    }
    const double error =
        std::sqrt(static_cast<double>(kStreamNormSquared) * StreamWeights(periods).variance_of_total());
    EXPECT_GE(error, best);
    EXPECT_LE(error, 1.45 * best) << periods;
    // Adding up what each period says by itself is off by the root of their number.
    if (periods >= 32) {
      EXPECT_LE(error, 0.5 * std::sqrt(periods));
    }
  }
}

double probability(double variance, double shift, int x) {
  double all = 0;
  for (int y = -60; y <= 60; ++y) all += std::exp(-y * y / (2 * variance));
  return std::exp(-(x - shift) * (x - shift) / (2 * variance)) / all;
}

// Two periods with weights of a few steps, every outcome of both numbers: neighbours differ in a row of either period,
// and the divergence of all that is told is that of one Gaussian answer at the norm of the weights.
TEST(StreamSums, EnumeratedLossIsThatOfTheNorm) {
  const StreamWeights exact(2);
  const int first = 3, second = static_cast<int>(exact.of(1) * 3 >> kStreamBits);
  const double variance = 9;
  for (const double order : {1.5, 2.0, 4.0, 16.0}) {
    for (const int period : {0, 1}) {
      const int change[] = {period == 0 ? first : 0, period == 0 ? second : first};
      double sum = 0;
      for (int x = -45; x <= 45; ++x) {
        for (int y = -45; y <= 45; ++y) {
          const double with = probability(variance, change[0], x) * probability(variance, change[1], y);
          const double without = probability(variance, 0, x) * probability(variance, 0, y);
          if (without > 0) sum += std::pow(with / without, order) * without;
        }
      }
      const double norm = change[0] * change[0] + change[1] * change[1];
      EXPECT_LE(std::log(sum) / (order - 1), order * norm / (2 * variance) + 1e-9);
      EXPECT_LE(norm, first * first + second * second);
    }
  }
}

// The noise is that of the norm, in each way in which Gaussian noise is charged.
TEST(StreamSums, NoiseIsForAllPeriods) {
  const mechanism::Changes changes = stream_changes(mechanism::Changes::one(10));
  EXPECT_TRUE(changes.l2_squared == 100 * kStreamNormSquared);
  EXPECT_GT(changes.coordinates, 1u);
  const double norm = 10 * std::sqrt(static_cast<double>(kStreamNormSquared));
  const auto of_divergences = mechanism::calibrate(mechanism::parse("gaussian"), mechanism::Epsilon::from(0.5), changes,
                                                   mechanism::Lattice::integer);
  const double steps = std::ldexp(1.0, static_cast<int>(of_divergences.refinement));
  EXPECT_NEAR(std::sqrt(mechanism::loss(of_divergences.law).expected_sq) / steps, norm / 0.5, 1e-6 * norm);
  const auto with_delta = mechanism::calibrate(mechanism::parse("gaussian(delta=1e-6)"), mechanism::Epsilon::from(0.5),
                                               changes, mechanism::Lattice::integer);
  EXPECT_GT(std::sqrt(mechanism::loss(with_delta.law).expected_sq), 8 * norm);
}

}  // namespace
}  // namespace dp::aggregate
