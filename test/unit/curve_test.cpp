// What answers of dp_cumulative say: counts, ranges, quantiles, and how often their errors hold.
#include "core/planning/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "core/mechanism/error.h"

namespace dp::planning {
namespace {

using aggregate::PrefixSums;
using Wide = __int128;

using CountsBelow = std::vector<std::int64_t>;

Curve curve_of(const CountsBelow& counts, double noise = 1, int branching = 0) {
  const auto size = static_cast<int>(counts.size());
  return {{{0, static_cast<double>(size)}, size}, {size, branching}, counts, noise};
}

TEST(Curve, CountsAreReadBetweenEdges) {
  const CountsBelow counts{10, 30, 30, 100};
  const Curve curve = curve_of(counts);
  EXPECT_EQ(rows_below(curve, -1), 0);
  EXPECT_EQ(rows_below(curve, 0), 0);
  EXPECT_EQ(rows_below(curve, 1), 10);
  EXPECT_EQ(rows_below(curve, 1.5), 20);
  EXPECT_EQ(rows_below(curve, 3), 30);
  EXPECT_NEAR(rows_below(curve, 3.9), 93, 1e-9);
  EXPECT_EQ(rows_below(curve, 4), 100);
  EXPECT_EQ(rows_below(curve, INFINITY), 100);
  EXPECT_EQ(rows_below(curve, -INFINITY), 0);
  EXPECT_EQ(rows_below(curve, NAN), 100);
}

TEST(Curve, QuantilesDivideTheRows) {
  const CountsBelow counts{10, 30, 30, 100};
  const Curve curve = curve_of(counts);
  EXPECT_EQ(quantile_of(curve, 0), 0);
  EXPECT_EQ(quantile_of(curve, 0.05), 0.5);
  EXPECT_EQ(quantile_of(curve, 0.3), 2);
  EXPECT_NEAR(*quantile_of(curve, 0.65), 3.5, 1e-9);
  EXPECT_EQ(quantile_of(curve, 1), 4);
  const CountsBelow late{0, 0, 5};
  EXPECT_EQ(quantile_of(curve_of(late), 0), 2);
  const CountsBelow none{-3, -1};
  EXPECT_FALSE(quantile_of(curve_of(none), 0.5));
  for (const double wrong : {-0.1, 1.1, static_cast<double>(NAN)}) EXPECT_THROW(quantile_of(curve, wrong), Error);
}

// The nearest rising counts have a property that no others have: cut anywhere into blocks of equal value, each block
// is the weighted mean of what it stands for, and no beginning of a block is below its mean.
TEST(Curve, RisingCountsAreTheNearest) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    CountsBelow counts(40);
    for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<std::int64_t>(200 + 3 * k + random() % 60);
    for (const int branching : {0, 8}) {
      const Curve curve = curve_of(counts, 1, branching);
      const auto variances = aggregate::PrefixVariances(curve.sums).of_prefixes();
      const auto rising = rising_counts(curve);
      for (std::size_t k = 1; k < rising.size(); ++k) EXPECT_LE(rising[k - 1], rising[k]);
      for (std::size_t first = 0, last = 0; first < rising.size(); first = last) {
        double left = 0;
        for (last = first; last < rising.size() && rising[last] == rising[first]; ++last) {
          left += (static_cast<double>(counts[last]) - rising[last]) / variances[last];
          EXPECT_GE(left, -1e-6);
        }
        EXPECT_NEAR(left, 0, 1e-6);
      }
    }
  }
  const CountsBelow below{-5, -7, 3};
  EXPECT_EQ(rising_counts(curve_of(below)), (std::vector<double>{0, 0, 3}));
}

TEST(Curve, ErrorsOfValuesWithinABucketAreThoseOfItsWorseEnd) {
  const CountsBelow counts(64, 1000);
  const Curve curve = curve_of(counts, 10);
  const auto errors = errors_of_counts(curve, 0.95);
  EXPECT_EQ(error_between(curve, 0, 10, 0.95), errors[9]);
  EXPECT_EQ(error_between(curve, -INFINITY, 10.5, 0.95), std::max(errors[9], errors[10]));
  EXPECT_EQ(error_between(curve, 5, 5, 0.95), 0);
  EXPECT_GT(error_between(curve, 5, 9, 0.99), error_between(curve, 5, 9, 0.9));
  EXPECT_THROW(errors_of_counts(curve, 1), Error);
}

TEST(Curve, ForgedOnesAreRefused) {
  const CountsBelow counts{1, 2, 3};
  const Curve good = curve_of(counts);
  EXPECT_NO_THROW(check_curve(good));
  for (const auto& bend : std::initializer_list<void (*)(Curve*)>{
           [](Curve* c) { c->sums.branching = 2; }, [](Curve* c) { c->sums.branching = -1; },
           [](Curve* c) { c->buckets.bounds.upper = 0; }, [](Curve* c) { c->buckets.bounds.lower = NAN; },
           [](Curve* c) {
             c->buckets.bounds = {-1e308, 1e308};
           },
           [](Curve* c) { c->noise = -1; }, [](Curve* c) { c->noise = INFINITY; },
           [](Curve* c) { c->counts = c->counts.first(2); }, [](Curve* c) { c->buckets.count = 0; }}) {
    Curve bent = good;
    bend(&bent);
    EXPECT_THROW(check_curve(bent), Error);
  }
}

// P(|sum of w N| > t) of Laplace noise with variance 1 each, by its characteristic function.
double tail_of(const std::vector<double>& weights, double t) {
  constexpr double kStep = 0.02;
  double inside = 0;
  for (double u = kStep / 2; u < 40; u += kStep) {
    double log_phi = 0;
    for (const double w : weights) log_phi -= std::log1p(w * w * u * u / 2);
    inside += std::sin(u * t) / u * std::exp(log_phi) * kStep;
  }
  return 1 - 2 / std::numbers::pi * inside;
}

// What reach_of_sums() says of Laplace noise is enough for every count of a tree, and for one number and very many.
TEST(Curve, ErrorsOfTreesAreLargeEnough) {
  for (const PrefixSums& sums : {PrefixSums{32, 8}, PrefixSums{128, 16}, PrefixSums{512, 8}, PrefixSums{12, 1}}) {
    const auto size = static_cast<std::size_t>(sums.integers());
    std::vector<std::vector<double>> weights(static_cast<std::size_t>(sums.buckets), std::vector<double>(size));
    for (std::size_t k = 0; k < size; ++k) {
      std::vector<Wide> integers(size);
      integers[k] = 1 << 20;
      const auto found = sums.sums_of({reinterpret_cast<const noise::Int128*>(integers.data()), size}, 20);
      for (std::size_t i = 0; i < found.size(); ++i) weights[i][k] = found[i];
    }
    for (std::size_t i = 0; i < weights.size(); i += 1 + weights.size() / 5) {
      double square = 0;
      for (const double w : weights[i]) square += w * w;
      for (double& w : weights[i]) w /= std::sqrt(square);
      for (const double confidence : {0.5, 0.8, 0.9, 0.95, 0.99, 0.999}) {
        const double tail = tail_of(weights[i], reach_of_sums(1, confidence, false));
        EXPECT_LE(tail, (1 - confidence) * 1.02 + 2e-4) << sums.buckets << " " << i << " " << confidence;
        if (confidence <= 0.95) {
          EXPECT_GE(tail, (1 - confidence) * 0.5) << sums.buckets << " " << i << " " << confidence;
        }
      }
    }
  }
}

// With Gaussian noise: counts, ranges and quantiles, how often they are within what is said.
TEST(Curve, ErrorsAndIntervalsHoldAsOftenAsSaid) {
  constexpr int kSize = 64, kRounds = 1000;
  const PrefixSums sums = PrefixSums::by_root(kSize);
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < kSize; ++i) counts.push_back(static_cast<std::uint64_t>(i * (kSize - i) / 40));
  std::vector<Wide> exact(kSize);
  sums.put_integers(counts, reinterpret_cast<noise::Int128*>(exact.data()));
  std::vector<double> below{0};
  for (const std::uint64_t count : counts) below.push_back(below.back() + static_cast<double>(count));
  int median = 0;
  while (below[static_cast<std::size_t>(median + 1)] < below.back() * 0.5) ++median;
  std::mt19937_64 random(33);
  std::normal_distribution<double> normal;
  constexpr double kNoise = 20;
  int counted = 0, ranged = 0, quantiles = 0;
  double width = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Wide> noisy = exact;
    for (Wide& number : noisy) number += std::llround(std::ldexp(normal(random) * kNoise, sums.scale()));
    CountsBelow shown;
    for (const double rows : sums.sums_of({reinterpret_cast<const noise::Int128*>(noisy.data()), kSize}, 0))
      shown.push_back(std::llround(rows));
    const Curve curve = curve_of(shown, kNoise);
    counted += std::fabs(rows_below(curve, 40) - below[40]) <= error_between(curve, 0, 40, 0.95) ? 1 : 0;
    ranged += std::fabs(rows_below(curve, 50) - rows_below(curve, 20) - below[50] + below[20]) <=
                      error_between(curve, 20, 50, 0.95)
                  ? 1
                  : 0;
    const aggregate::Interval found = quantile_interval(curve, 0.5, 0.95);
    quantiles += found.lower <= median && found.upper >= median + 1 ? 1 : 0;
    width += (found.upper - found.lower) / kRounds;
  }
  EXPECT_NEAR(counted, 0.95 * kRounds, 25);
  EXPECT_NEAR(ranged, 0.95 * kRounds, 25);
  EXPECT_GE(quantiles, 0.93 * kRounds);
  EXPECT_LT(width, 10);
}

TEST(Curve, WithoutNoiseAQuantileLiesInItsBucket) {
  const CountsBelow counts{10, 30, 30, 100};
  const Curve curve = curve_of(counts, 1e-6);
  const auto found = quantile_interval(curve, 0.65, 0.95);
  EXPECT_EQ(found.lower, 3);
  EXPECT_EQ(found.upper, 4);
}

}  // namespace
}  // namespace dp::planning
