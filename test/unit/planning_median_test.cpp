// The median of several draws and quantiles, for laws in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/planning/median.h"
#include "core/planning/quantile.h"

namespace dp::planning {
namespace {

double laplace_within(double t) { return -std::expm1(-t); }

// Reference values of another program. Of two draws the lower median is the smaller one: E|min| =
// E|max| by symmetry, and together they are 2 E|X|. Of three: 7/12.
TEST(PlanningMedian, OfLaplaceDraws) {
  EXPECT_NEAR(median_error(laplace_within, 1), 1, 1e-9);
  EXPECT_NEAR(median_error(laplace_within, 2), 1, 1e-9);
  EXPECT_NEAR(median_error(laplace_within, 3), 7.0 / 12, 1e-9);
  EXPECT_NEAR(median_error(laplace_within, 25), 0.17861562328506575, 1e-9);
}

TEST(PlanningMedian, OfGeometricDraws) {
  const auto within = [](double t) { return 1 - 2 * std::exp(-(std::floor(t) + 1)) / (1 + std::exp(-1.0)); };
  EXPECT_NEAR(median_error(within, 1), 0.8509181282393217, 1e-9);
  EXPECT_NEAR(median_error(within, 25), 0.013295356797548749, 1e-9);
}

// Nearly all of |X| is uniform on [0, w]: the median of 3 uniforms on [0, 1] is 3/16 from the middle on average.
TEST(PlanningMedian, OfUniformDraws) {
  const auto within = [](double t) { return std::min(1.0, t / 5); };
  EXPECT_NEAR(median_error(within, 3), 10 * 3.0 / 16, 1e-8);
}

TEST(PlanningQuantile, IsTheSmallestPointThatHolds) {
  for (const double confidence : {0.01, 0.5, 0.95, 0.999}) {
    const double t = quantile(laplace_within, confidence);
    EXPECT_GE(laplace_within(t), confidence);
    EXPECT_LT(laplace_within(std::nextafter(t, 0)), confidence);
  }
  EXPECT_EQ(quantile([](double t) { return std::floor(t) >= 7 ? 1.0 : 0.25; }, 0.5), 7);
  EXPECT_EQ(quantile([](double) { return 0.5; }, 0.5), 0);
  EXPECT_EQ(quantile([](double) { return 0.5; }, 0.9), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace dp::planning
