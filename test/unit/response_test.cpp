// Randomised responses: the estimate is unbiased and its standard error is right, by exact expectation over small
// surveys.
#include "core/accumulate/response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/mechanism/response_odds.h"
#include "support/response_laws.h"

namespace dp::test {
namespace {

using aggregate::estimate_bit;
using aggregate::estimate_truth;
using mechanism::Epsilon;
using mechanism::odds_of;

// P(c successes in n trials of probability p)
double binomial(int n, int c, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(c + 1) - std::lgamma(n - c + 1)) * std::pow(p, c) *
         std::pow(1 - p, n - c);
}

TEST(Response, EstimateIsUnbiasedAndItsErrorRight) {
  constexpr int kResponses = 9;
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    for (const int categories : {2, 3, 10}) {
      const noise::Odds odds = odds_of(Epsilon::from(epsilon));
      const Channel channel = response_channel(static_cast<std::size_t>(categories), rational(odds));
      const auto p = static_cast<double>(channel[0][0]), q = static_cast<double>(channel[0][1]);
      for (int truth = 0; truth <= kResponses; ++truth) {
        double total = 0, mean = 0, square = 0, variance = 0;
        for (int kept = 0; kept <= truth; ++kept) {
          for (int came = 0; came <= kResponses - truth; ++came) {
            const double mass = binomial(truth, kept, p) * binomial(kResponses - truth, came, q);
            const auto estimate = estimate_truth(kept + came, kResponses, categories, odds);
            total += mass;
            mean += mass * estimate.count;
            square += mass * estimate.count * estimate.count;
            variance += mass * estimate.standard_error * estimate.standard_error;
          }
        }
        EXPECT_NEAR(total, 1, 1e-9);
        EXPECT_NEAR(mean, truth, 1e-8 * (1 + square)) << epsilon << ' ' << categories;
        EXPECT_NEAR(variance, square - mean * mean, 1e-8 * (1 + square)) << epsilon << ' ' << categories;
      }
    }
  }
}

TEST(Response, ExtremeEpsilonsStayFinite) {
  const auto certain = estimate_truth(7, 10, 3, odds_of(Epsilon::from(1e6)));
  EXPECT_EQ(certain.count, 7);
  EXPECT_NEAR(certain.standard_error, 0, 1e-11);
  const noise::Odds least = odds_of(Epsilon::from(1e-9));
  const double beyond = static_cast<double>(least.parts - noise::Odds::kOne) / 0x1p40;
  const auto blind = estimate_truth(7, 10, 2, least);
  EXPECT_NEAR(blind.count * beyond, (7 - 5) * 2, 1e-6);
  EXPECT_NEAR(blind.standard_error * beyond, std::sqrt(10), 1e-6);
  const auto nobody = estimate_truth(0, 0, 4, odds_of(Epsilon::from(1)));
  EXPECT_EQ(nobody.count, 0);
  EXPECT_EQ(nobody.standard_error, 0);
}

TEST(Response, BitsAreEstimatedWithAnErrorThatIsKnownBeforehand) {
  const noise::Odds odds = odds_of(Epsilon::from(2), 2);
  const double e = static_cast<double>(odds.parts) / 0x1p40;
  for (const std::uint64_t count : {0u, 3u, 10u}) {
    const auto estimate = estimate_bit(count, 10, odds);
    EXPECT_NEAR(estimate.count, (static_cast<double>(count) * (e + 1) - 10) / (e - 1), 1e-9);
    EXPECT_NEAR(estimate.standard_error, std::sqrt(e * 10) / (e - 1), 1e-9);
  }
}

}  // namespace
}  // namespace dp::test
