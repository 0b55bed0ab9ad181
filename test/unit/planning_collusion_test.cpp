// The error of the lower median of k answers against reference values (of another program, copied
// here), closed forms and an enumeration.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mechanism/mechanism_text.h"
#include "core/planning/collusion.h"
#include "support/errors.h"

namespace dp::planning {
namespace {

using mechanism::Epsilon;
using mechanism::Lattice;

Noise noise(const char* mechanism, double sensitivity, Lattice lattice) {
  return {mechanism::parse(mechanism), sensitivity, lattice};
}

TEST(PlanningCollusion, AgreesWithTheReference) {
  struct Row {
    const char* mechanism;
    int k;
    double error;
  };
  constexpr Row rows[] = {{"laplace", 1, 1.0},
                          {"laplace", 25, 0.17861562328506575},
                          {"staircase", 1, 0.9595173756674729},
                          {"staircase", 25, 0.15254745548966894},
                          {"geometric", 1, 0.8509181282393217},
                          {"geometric", 25, 0.013295356797548749}};
  for (const Row& row : rows) {
    const double got = collusion_error(noise(row.mechanism, 1, Lattice::fine), Epsilon::from(1), row.k);
    EXPECT_NEAR(got, row.error, 1e-6 * row.error) << row.mechanism << " " << row.k;
  }
}

// Of two it is the smaller one: E|min| = E|max| by symmetry, and together they are 2 E|X|. Of three Laplace draws:
// 7/12.
TEST(PlanningCollusion, SmallGroupsInClosedForm) {
  EXPECT_NEAR(collusion_error(noise("laplace", 1, Lattice::fine), Epsilon::from(1), 2), 1, 1e-9);
  EXPECT_NEAR(collusion_error(noise("laplace", 5, Lattice::fine), Epsilon::from(0.1), 3), 50 * 7.0 / 12, 1e-6);
}

// The law of the m-th smallest of k, added up over all outcomes of k draws from a law cut off where nothing is left.
TEST(PlanningCollusion, IntegersAgreeWithEnumeration) {
  constexpr int kEdge = 12;
  const double a = std::exp(-2.5);
  std::vector<double> pmf;
  for (int x = -kEdge; x <= kEdge; ++x) pmf.push_back((1 - a) / (1 + a) * std::pow(a, std::abs(x)));
  for (const int k : {2, 3}) {
    double wanted = 0;
    for (int x = 0; x < 25; ++x) {
      for (int y = 0; y < 25; ++y) {
        if (k == 2) {
          wanted += pmf[x] * pmf[y] * std::abs(std::min(x, y) - kEdge);
          continue;
        }
        for (int z = 0; z < 25; ++z) {
          const int median = std::max(std::min(x, y), std::min(std::max(x, y), z));
          wanted += pmf[x] * pmf[y] * pmf[z] * std::abs(median - kEdge);
        }
      }
    }
    EXPECT_NEAR(collusion_error(noise("geometric", 1, Lattice::integer), Epsilon::from(2.5), k), wanted, 1e-9) << k;
  }
}

// Noise so wide that not every whole number is added up is as good as continuous.
TEST(PlanningCollusion, WideIntegerNoiseIsTheContinuousOne) {
  for (const int k : {3, 25, 1000}) {
    const double whole = collusion_error(noise("geometric", 1, Lattice::integer), Epsilon::from(1e-6), k);
    const double real = collusion_error(noise("laplace", 1, Lattice::fine), Epsilon::from(1e-6), k);
    EXPECT_NEAR(whole, real, 1e-6 * real) << k;
  }
}

// 1/(2 f(0) sqrt(k)) is the standard deviation of a median; sqrt(2/pi) of it its mean absolute error.
TEST(PlanningCollusion, LargeGroupsFollowTheNormalLaw) {
  const double got = collusion_error(noise("laplace", 1, Lattice::fine), Epsilon::from(1), kMaxAnswers);
  EXPECT_NEAR(got, std::sqrt(2 / M_PI) / 1000, 2e-3 / 1000);
}

// A staircase that is nearly uniform on [-w, w], with tails of next to nothing: the median of k uniform draws.
TEST(PlanningCollusion, SteepStairs) {
  const Noise steep = noise("staircase", 1, Lattice::fine);
  const mechanism::Description description = steep.at(Epsilon::from(60));
  const double w = description.loss.scale;
  // (k+1)/2-th of k uniforms on [0, 1]: E|M - 1/2| = binomial(k, (k+1)/2) 2^-k (k+1)/(2k+2) for odd k; k = 3: 3/16.
  EXPECT_NEAR(collusion_error(steep, Epsilon::from(60), 3), 2 * w * 3 / 16, 1e-6 * w);
}

TEST(PlanningCollusion, NobodyIsAnError) {
  EXPECT_EQ(test::message_of([] { collusion_error(noise("laplace", 1, Lattice::fine), Epsilon::from(1), 0); }),
            "k must be a whole number from 1 to 1000000, not 0");
}

}  // namespace
}  // namespace dp::planning
