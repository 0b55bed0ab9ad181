// Randomised responses: the estimate is unbiased and its standard error is right, by exact expectation over small
// surveys.
#include "core/accumulate/response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/selection_laws.h"

namespace dp::test {
namespace {

using aggregate::estimate_truth;
using mechanism::Epsilon;

// P(c successes in n trials of probability p)
double binomial(int n, int c, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(c + 1) - std::lgamma(n - c + 1)) * std::pow(p, c) *
         std::pow(1 - p, n - c);
}

TEST(Response, EstimateIsUnbiasedAndItsErrorRight) {
  constexpr int kResponses = 9;
  for (const double epsilon : {0.1, 1.0, 4.0}) {
    for (const int categories : {2, 3, 10}) {
      const SelectionLaw law = response_law(0, static_cast<std::size_t>(categories), Real(epsilon));
      const auto p = static_cast<double>(law.masses[0]), q = static_cast<double>(law.masses[1]);
      for (int truth = 0; truth <= kResponses; ++truth) {
        double total = 0, mean = 0, square = 0, variance = 0;
        for (int kept = 0; kept <= truth; ++kept) {
          for (int came = 0; came <= kResponses - truth; ++came) {
            const double mass = binomial(truth, kept, p) * binomial(kResponses - truth, came, q);
            const auto estimate = estimate_truth(kept + came, kResponses, categories, Epsilon::from(epsilon));
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
  const auto certain = estimate_truth(7, 10, 3, Epsilon::from(1e6));
  EXPECT_EQ(certain.count, 7);
  EXPECT_EQ(certain.standard_error, 0);
  const auto blind = estimate_truth(7, 10, 2, Epsilon::from(1e-9));
  EXPECT_NEAR(blind.count, (7 - 5) * 2e9, 1e3);
  EXPECT_NEAR(blind.standard_error, std::sqrt(10) * 1e9, 1e3);
  const auto nobody = estimate_truth(0, 0, 4, Epsilon::from(1));
  EXPECT_EQ(nobody.count, 0);
  EXPECT_EQ(nobody.standard_error, 0);
}

}  // namespace
}  // namespace dp::test
