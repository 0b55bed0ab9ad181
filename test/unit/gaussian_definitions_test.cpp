// gaussian(delta=..., definition=...): the three meanings of delta, on the reals against reference values and on the
// integers by adding up the law.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "mechanism_laws.h"
#include "support/errors.h"
#include "support/power_laws.h"

namespace dp::test {
namespace {

using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Lattice;

double fine_sigma(const std::string& text, double epsilon) {
  return mechanism::describe(mechanism::parse(text), Epsilon::from(epsilon), 1, Lattice::fine).loss.scale;
}

Real calibrated_variance(const std::string& text, double epsilon, const Changes& changes) {
  const auto used = mechanism::calibrate(mechanism::parse(text), Epsilon::from(epsilon), changes, Lattice::integer);
  return variance_of(std::get<noise::DiscreteGaussian>(used.law));
}

// losses.json: analytic_gaussian, classic_gaussian; gg_scale.json, p = 2: b_exact_pdp_two_sided = sigma sqrt(2).
TEST(GaussianDefinitions, AgreeWithReferenceOnTheReals) {
  struct {
    const char* mechanism;
    double epsilon, sigma;
  } const rows[] = {{"gaussian(delta=1e-5, definition=approximate)", 0.1, 30.74956613197755},
                    {"gaussian(delta=1e-5)", 1, 3.7306316348159387},
                    {"gaussian(delta=1e-6)", 3, 1.5438614177756416},
                    {"gaussian(delta=1e-5, definition=classic)", 0.1, 48.44805262605389},
                    {"gaussian(delta=1e-6, definition=classic)", 0.1, 52.988025268504735},
                    {"gaussian(delta=1e-5, definition=classic)", 1, 4.844805262605389},
                    {"gaussian(delta=1e-6, definition=classic)", 1, 5.298802526850474},
                    {"gaussian(delta=1e-6, definition=probabilistic)", 0.5, 13.853492682920383 / std::sqrt(2)},
                    {"gaussian(delta=1e-6, definition=probabilistic)", 1, 6.952294059129649 / std::sqrt(2)},
                    {"gaussian(delta=0.01, definition=probabilistic)", 2, 1.9310154448365902 / std::sqrt(2)},
                    {"gaussian(delta=0.1, definition=probabilistic)", 2, 1.319146654627421 / std::sqrt(2)}};
  for (const auto& [mechanism, epsilon, sigma] : rows) {
    EXPECT_NEAR(fine_sigma(mechanism, epsilon) / sigma, 1, 1e-6) << mechanism << " at " << epsilon;
  }
}

// The paper's equation 17 is a bound: the exact probabilistic sigma is smaller, and larger than the approximate one.
TEST(GaussianDefinitions, ProbabilisticIsExact) {
  const double bound = 4.991802691101439;  // pdp_gaussian_eq17_1e-06 at epsilon 1
  EXPECT_LT(fine_sigma("gaussian(delta=1e-6, definition=probabilistic)", 1), bound);
  EXPECT_GT(fine_sigma("gaussian(delta=1e-6, definition=probabilistic)", 1), fine_sigma("gaussian(delta=1e-6)", 1));
}

TEST(GaussianDefinitions, ProbabilisticDeltaIsKeptOnTheIntegers) {
  for (const double epsilon : {0.2, 1.0, 3.0}) {
    for (const double delta : {0.1, 1e-3, 1e-9}) {
      for (const int change : {1, 4}) {
        SCOPED_TRACE(testing::Message() << epsilon << ' ' << delta << ' ' << change);
        const std::string text = "gaussian(delta=" + mechanism::decimal(delta) + ", definition=probabilistic)";
        const Real variance = calibrated_variance(text, epsilon, Changes::one(static_cast<noise::Uint128>(change)));
        const auto b = static_cast<long double>(Real(sqrt(Real(2 * variance))));
        EXPECT_LE(summed_power_delta(2, b, change, epsilon, true), delta * (1 + 1e-9L));
        EXPECT_GT(summed_power_delta(2, b * 0.9999L, change, epsilon, true), delta) << "a smaller sigma would do";
      }
    }
  }
}

TEST(GaussianDefinitions, ClassicIsItsFormulaAndPrivate) {
  for (const double epsilon : {0.05, 0.5, 1.0}) {
    const Real variance = calibrated_variance("gaussian(delta=1e-5, definition=classic)", epsilon, Changes::one(3));
    const double wanted = 3 * std::sqrt(2 * std::log(1.25e5)) / epsilon;
    EXPECT_NEAR(std::sqrt(static_cast<double>(variance)) / wanted, 1, 1e-9);
    if (epsilon < 0.1) continue;  // sums of many thousand terms
    EXPECT_LE(summed_delta(variance, 3, real(Epsilon::from(epsilon))), Real("1e-5"));
  }
}

TEST(GaussianDefinitions, ClassicIsRefusedBeyondItsProof) {
  const auto m = mechanism::parse("gaussian(delta=1e-5, definition=classic)");
  expect_error([&] { mechanism::calibrate(m, Epsilon::from(1.5), Changes::one(1), Lattice::integer); },
               "epsilon must be at most 1 for gaussian(definition=classic), not 1.5", "approximate");
  EXPECT_THROW(mechanism::describe(m, Epsilon::from(2), 1, Lattice::fine), Error);
}

// Several coordinates: the joint length for approximate and classic, shares for probabilistic.
TEST(GaussianDefinitions, OfSeveralCoordinates) {
  const Changes pair{2, 6, 5, 4};
  const Real joint = calibrated_variance("gaussian(delta=1e-5)", 1, pair);
  const Real classic = calibrated_variance("gaussian(delta=1e-5, definition=classic)", 1, pair);
  EXPECT_NEAR(static_cast<double>(classic), 2 * std::log(1.25e5) * 25, 1e-6);
  EXPECT_LT(joint, classic);
  EXPECT_EQ(calibrated_variance("gaussian(delta=1e-5, definition=probabilistic)", 1, pair),
            calibrated_variance("gaussian(delta=5e-6, definition=probabilistic)", 0.5, Changes::one(4)));
}

TEST(GaussianDefinitions, TextLeavesTheDefaultOut) {
  EXPECT_EQ(mechanism::format(mechanism::parse("gaussian(definition=approximate, delta=1e-6)")),
            "gaussian(delta=1e-6)");
  const std::string probabilistic = "gaussian(delta=1e-6, definition=probabilistic)";
  EXPECT_EQ(mechanism::format(mechanism::parse(probabilistic)), probabilistic);
  EXPECT_THROW(mechanism::parse("gaussian(delta=1e-6, definition=exact)"), Error);
}

}  // namespace
}  // namespace dp::test
