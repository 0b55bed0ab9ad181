// How often the intervals around averages, variances and deviations hold the exact answer: noise as it is drawn, fixed
// seeds. At least as often as they say, and not much more, or they would be wider than need be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/accumulate/interval.h"
#include "support/bits.h"

namespace dp::test {
namespace {

using namespace aggregate;

constexpr int kRange = 1000;
constexpr int kTrials = 4000;

struct Rows {
  MeanState mean{};
  MomentsState moments{};

  void add(double value) {
    const auto x = static_cast<std::uint64_t>(std::lround(std::clamp(value, 0.0, 1.0) * kRange));
    mean.rows += 1, mean.total += x;
    moments.rows += 1, moments.total += x, moments.total_squares += x * x;
  }
};

// Values evenly between both.
Rows spread(int rows, double from, double to) {
  Rows all;
  for (int i = 0; i < rows; ++i) all.add(from + (to - from) * (i + 0.5) / rows);
  return all;
}

// One of so many rows is as high as can be, the others as low.
Rows few_high(int rows, int each) {
  Rows all;
  for (int i = 0; i < rows; ++i) all.add(i % each == 0);
  return all;
}

mechanism::Law law_of(double epsilon, double sensitivity, bool gaussian) {
  const auto scale = static_cast<noise::Uint128>(std::llround(sensitivity / epsilon));
  if (gaussian) return noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(scale * scale), 0);
  return noise::DiscreteLaplace{{1, scale}};
}

struct Tally {
  int inside = 0;  // the interval has the exact answer,
  int within = 0;  // or the answer is off by no more than the error that is shown
  std::vector<double> off{}, shown{};

  void add(const Interval& found, double answer, double truth) {
    const double error = std::max(found.upper - answer, answer - found.lower), away = std::fabs(answer - truth);
    inside += found.lower <= truth + 1e-12 && truth <= found.upper + 1e-12;
    within += away <= error + 1e-12;
    off.push_back(away);
    shown.push_back(error);
  }

  // The error that is shown, beside the one that would do in `confidence` of all cases.
  double ratio(double confidence) {
    std::sort(off.begin(), off.end());
    std::sort(shown.begin(), shown.end());
    return shown[shown.size() / 2] / off[static_cast<std::size_t>(confidence * static_cast<double>(off.size()))];
  }
};

double root(double x) { return std::sqrt(x); }

struct Case {
  const char* name;
  Rows rows;
  double epsilon;
  bool gaussian;
};

std::vector<Case> cases() {
  return {{"many rows", spread(10'000, 0, 1), 0.5, false},      {"low values", spread(5'000, 0, 0.1), 0.5, false},
          {"a narrow band", spread(5'000, 0.4, 0.5), 1, false}, {"few rows", spread(100, 0.2, 0.9), 1, false},
          {"a group of thirty", spread(30, 0, 1), 1, false},    {"few high ones", few_high(2'000, 20), 0.5, false},
          {"gaussian", spread(5'000, 0, 1), 0.5, true},         {"gaussian, low", spread(2'000, 0, 0.2), 0.5, true}};
}

// 4,000 trials: the share of hits is off by .01 in one of 400 runs, and the seed is fixed.
void expect_coverage(const Tally& tally, const char* name, double confidence) {
  constexpr double kChance = 0.01;
  EXPECT_GE(tally.inside, (confidence - kChance) * kTrials) << name;
  EXPECT_GE(tally.within, (confidence - kChance) * kTrials) << name;
}

TEST(IntervalCoverage, Mean) {
  for (const double confidence : {0.95, 0.8}) {
    for (const Case& one : cases()) {
      SeededBits bits(21);
      const MeanPair exact = mean_pair(one.rows.mean, kRange);
      const mechanism::Law law = law_of(one.epsilon, kRange, one.gaussian);
      QuotientNoise noise(law, 1, 2, confidence);
      const double truth = mean_position(exact);
      Tally tally;
      for (int i = 0; i < kTrials; ++i) {
        const MeanPair noisy{exact.above + mechanism::sample(law, bits), exact.below + mechanism::sample(law, bits)};
        tally.add(mean_interval(noisy, noise), mean_position(noisy), truth);
      }
      expect_coverage(tally, one.name, confidence);
      EXPECT_LE(tally.ratio(confidence), 1.2) << one.name;
      EXPECT_LE(tally.within, (confidence + (1 - confidence) / 2) * kTrials) << one.name;
    }
  }
}

TEST(IntervalCoverage, VarianceAndDeviation) {
  for (const double confidence : {0.95, 0.8}) {
    for (const Case& one : cases()) {
      SeededBits bits(22);
      const MomentTriple exact = moment_triple(one.rows.moments, kRange);
      const mechanism::Law law = law_of(one.epsilon, double{kRange} * kRange, one.gaussian);
      QuotientNoise noise(law, 1, 3, confidence);
      const double truth = variance_position(exact, double{kRange} * kRange);
      Tally of_variance, of_deviation, of_population;
      for (int i = 0; i < kTrials; ++i) {
        const MomentTriple noisy{exact.above + mechanism::sample(law, bits), exact.mixed + mechanism::sample(law, bits),
                                 exact.below + mechanism::sample(law, bits)};
        const Interval found = variance_interval(noisy, noise, double{kRange} * kRange);
        const double answer = variance_position(noisy, double{kRange} * kRange);
        of_variance.add(found, answer, truth);
        of_deviation.add({root(found.lower), root(found.upper)}, root(answer), root(truth));
        of_population.add(population_interval(noisy, noise), population_position(noisy), population_position(exact));
      }
      for (const Tally* tally : {&of_variance, &of_deviation, &of_population})
        expect_coverage(*tally, one.name, confidence);
      EXPECT_LE(of_variance.ratio(confidence), one.rows.mean.rows < 50 ? 2.5 : 1.6) << one.name;
      EXPECT_LE(of_deviation.ratio(confidence), one.rows.mean.rows < 50 ? 2.5 : 1.6) << one.name;
      // Where rows are few the mean is hardly known, and anything that it may be counts.
      if (confidence == 0.95 && one.rows.mean.rows >= 50) {
        EXPECT_LE(of_variance.within, 0.99 * kTrials) << one.name;
      }
    }
  }
}

}  // namespace
}  // namespace dp::test
