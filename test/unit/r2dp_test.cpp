// The mechanism r2dp from its text on: keys, calibration on both lattices, several coordinates, figures.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "core/mechanism/mechanism_text.h"
#include "core/mechanism/r2dp/mixture_certificate.h"
#include "mechanism_laws.h"
#include "support/errors.h"
#include "support/mixture_law.h"

namespace dp::test {
namespace {

using mechanism::Calibration;
using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Lattice;
using noise::DiscreteLaplace;
using noise::LaplaceMixture;
using noise::Uint128;

Calibration calibrated(const std::string& text, double epsilon, const Changes& changes,
                       Lattice lattice = Lattice::integer) {
  return mechanism::calibrate(mechanism::parse(text), Epsilon::from(epsilon), changes, lattice);
}

void expect_refused(const std::string& text, const std::string& message, const std::string& hint) {
  SCOPED_TRACE(text);
  expect_error([&] { mechanism::parse(text); }, message, hint);
}

TEST(R2dpText, KeysThatFitTogether) {
  for (const std::string text :
       {"r2dp(gamma=5)", "r2dp(metric=l1)", "r2dp(metric=l2)", "r2dp(gamma=0.1, family=uniform)",
        "r2dp(metric=l1, family=combined)", "r2dp(gamma=1e-300)"}) {
    EXPECT_EQ(mechanism::format(mechanism::parse(text)), text);
  }
  EXPECT_EQ(mechanism::format(mechanism::parse("r2dp(family=optimal, metric=usefulness, gamma=2)")), "r2dp(gamma=2)");
}

TEST(R2dpText, OthersAreRefused) {
  expect_refused("r2dp", "needs gamma or metric", "r2dp(gamma=5)");
  expect_refused("r2dp(metric=usefulness)", "needs gamma or metric", "r2dp(metric=l1)");
  expect_refused("r2dp(gamma=5, metric=l1)", "gamma or metric, not both", "without gamma");
  expect_refused("r2dp(gamma=0)", "gamma must be above zero, not 0", "r2dp(gamma=5)");
  expect_refused("r2dp(gamma=-1)", "gamma must be above zero, not -1", "r2dp(gamma=5)");
  expect_refused("r2dp(gamma=inf)", "gamma must be finite", "r2dp(gamma=5)");
  expect_refused("r2dp(gamma=5, family=cauchy)", "unknown family", "truncated_gaussian");
}

// The loss of the law that is sampled: at most epsilon, and within a millionth of it.
TEST(R2dpCalibration, LosesEpsilonOnTheIntegers) {
  int mixtures = 0;
  for (const std::string family : {"optimal", "gamma", "uniform", "truncated_gaussian", "combined"}) {
    for (const double epsilon : {0.5, 2.0, 5.0, 12.0}) {
      for (const Uint128 sensitivity : {Uint128{1}, Uint128{4}, Uint128{1000}, Uint128{1} << 32}) {
        for (const double part : {0.02, 0.2, 0.0}) {
          const std::string gamma = mechanism::decimal(part * static_cast<double>(sensitivity));
          const std::string text = "r2dp(" + (part == 0 ? "metric=l1" : "gamma=" + gamma) + ", family=" + family + ")";
          SCOPED_TRACE(testing::Message() << text << ' ' << epsilon << ' ' << static_cast<double>(sensitivity));
          const Calibration used = calibrated(text, epsilon, Changes::one(sensitivity));
          EXPECT_EQ(used.refinement, 0u);
          const Real asked = real(Epsilon::from(epsilon));
          Real lost;
          if (const auto* mixture = std::get_if<LaplaceMixture>(&used.law)) {
            ++mixtures;
            lost = mechanism::mixture_loss(*mixture, sensitivity);
            if (sensitivity <= 4) {
              const auto losses = losses_by_shift(MixtureLaw(*mixture), static_cast<std::int64_t>(sensitivity));
              EXPECT_LE(abs(*std::max_element(losses.begin(), losses.end()) - lost), 1e-30);
            }
          } else {
            lost = real(std::get<DiscreteLaplace>(used.law).rate) * real(sensitivity);
          }
          EXPECT_LE(lost, asked * (1 + Real(1e-45)));
          EXPECT_GE(lost, asked * (1 - Real(1e-6)));
        }
      }
    }
  }
  EXPECT_GT(mixtures, 50);
}

TEST(R2dpCalibration, KeepsLaplaceWhereItIsNotBeaten) {
  EXPECT_TRUE(std::holds_alternative<DiscreteLaplace>(calibrated("r2dp(gamma=1)", 1, Changes::one(10)).law));
  EXPECT_TRUE(std::holds_alternative<DiscreteLaplace>(calibrated("r2dp(gamma=10)", 5, Changes::one(10)).law));
  EXPECT_TRUE(std::holds_alternative<DiscreteLaplace>(calibrated("r2dp(metric=l1)", 5, Changes::one(1)).law));
  EXPECT_TRUE(std::holds_alternative<LaplaceMixture>(calibrated("r2dp(gamma=1)", 5, Changes::one(10)).law));
}

// gamma is in units of the answer: on a lattice of steps 2^-20 a sensitivity of 1 is 2^20 steps.
TEST(R2dpCalibration, GammaIsInUnitsOfTheAnswer) {
  const auto law =
      calibrated("r2dp(gamma=0.1)", 5, Changes::one(Uint128{1} << 32), Lattice{Lattice::Kind::fine, -32}).law;
  const MixtureLaw pmf(std::get<LaplaceMixture>(law));
  const auto half_width = static_cast<std::int64_t>(std::floor(0.1 * 0x1p32));
  EXPECT_NEAR(1 - 2 * static_cast<double>(pmf.upper(half_width + 1)), 0.66005087, 1e-8);
}

TEST(R2dpCalibration, UsefulnessOnTheIntegersIsThatOfNoOtherPair) {
  const auto law = calibrated("r2dp(gamma=1.9)", 5, Changes::one(20)).law;
  const double within = 1 - 2 * static_cast<double>(MixtureLaw(std::get<LaplaceMixture>(law)).upper(2));
  const mechanism::MixtureProblem problem{5, mechanism::MixtureProblem::Metric::usefulness, 1.5 / 20, 20};
  EXPECT_NEAR(within, 1 - problem.cost(optimal_mixture(problem)), 1e-8);
  EXPECT_GT(within, 1 - problem.cost(5.0) + 0.1);
}

// Each of m coordinates gets epsilon/m for its own sensitivity; m such mixtures together lose epsilon at most.
TEST(R2dpCalibration, SeveralCoordinatesSplitEpsilon) {
  const Changes pair{2, 100, 80, 50};
  const auto law = std::get<LaplaceMixture>(calibrated("r2dp(gamma=1)", 10, pair).law);
  const Real lost = mechanism::mixture_loss(law, 50);
  EXPECT_LE(lost, 5);
  EXPECT_GE(lost, 5 * (1 - Real(1e-6)));
  const auto alone = std::get<LaplaceMixture>(calibrated("r2dp(gamma=1)", 5, Changes::one(50)).law);
  EXPECT_TRUE(law.atoms[0].rate.num == alone.atoms[0].rate.num && law.atoms[1].rate.num == alone.atoms[1].rate.num);

  // Brute force on a small pair whose changes share a total.
  const Changes shared = Changes::sharing(2, 6);
  const auto small = calibrated("r2dp(gamma=0.4)", 9, shared).law;
  const auto losses = losses_by_shift(MixtureLaw(std::get<LaplaceMixture>(small)), 6);
  EXPECT_LE(worst_shared_loss(losses, 2, 6), 9);

  // Laplace, whose loss is linear in the shift, is calibrated to the joint l1 norm, and is better where that is small.
  const Changes many = Changes::sharing(10, 50);
  const auto laplace = std::get<DiscreteLaplace>(calibrated("r2dp(metric=l1)", 5, many).law);
  EXPECT_TRUE(laplace.rate.num == 1 && laplace.rate.den == 10);
  const auto unequal = std::get<DiscreteLaplace>(calibrated("r2dp(metric=l1)", 6, Changes{2, 60, 52, 50}).law);
  EXPECT_TRUE(unequal.rate.num == 1 && unequal.rate.den == 10);

  // At this share of epsilon a mixture beats Laplace, but not the Laplace of a joint norm that is no larger than one
  // coordinate's change.
  EXPECT_TRUE(std::holds_alternative<LaplaceMixture>(calibrated("r2dp(metric=l1)", 4.5, Changes::one(50)).law));
  EXPECT_TRUE(std::holds_alternative<DiscreteLaplace>(calibrated("r2dp(metric=l1)", 9, Changes::sharing(2, 50)).law));
}

TEST(R2dpDescription, OnTheReals) {
  const auto description =
      mechanism::describe(mechanism::parse("r2dp(gamma=0.02)"), Epsilon::from(5), 0.2, Lattice::fine);
  EXPECT_NEAR(description.within(0.02), 0.66005087, 1e-8);
  EXPECT_NEAR(description.within(description.loss.interval95), 0.95, 1e-9);
  EXPECT_NEAR(description.phi(0), 1, 1e-12);
  const auto l1 = mechanism::describe(mechanism::parse("r2dp(metric=l1)"), Epsilon::from(5), 2, Lattice::fine);
  EXPECT_NEAR(l1.loss.expected_abs / 2, 0.1779281119209672, 2e-7);
  EXPECT_NEAR(l1.loss.entropy_bits, 1 - 0.15655054842584804, 1e-4);
  const auto l2 = mechanism::describe(mechanism::parse("r2dp(metric=l2)"), Epsilon::from(5), 2, Lattice::fine);
  EXPECT_NEAR(l2.loss.expected_sq / 4, 0.07990573030891199, 1e-7);
  // Where Laplace is kept, its figures.
  const auto plain = mechanism::describe(mechanism::parse("r2dp(gamma=1)"), Epsilon::from(0.5), 1, Lattice::fine);
  EXPECT_NEAR(plain.loss.scale, 2, 1e-12);
  EXPECT_NEAR(plain.loss.expected_abs, 2, 1e-12);
  EXPECT_NEAR(plain.loss.entropy_bits, std::log2(4 * std::exp(1.0)), 1e-9);
}

TEST(R2dpDescription, OnTheIntegersIsOfTheLawThatIsSampled) {
  const std::string text = "r2dp(gamma=2)";
  const auto description = mechanism::describe(mechanism::parse(text), Epsilon::from(5), 20, Lattice::integer);
  const MixtureLaw pmf(std::get<LaplaceMixture>(calibrated(text, 5, Changes::one(20)).law));
  EXPECT_NEAR(description.within(2.5), 1 - 2 * static_cast<double>(pmf.upper(3)), 1e-12);
  EXPECT_GE(description.within(description.loss.interval95), 0.95);
  EXPECT_LT(description.within(description.loss.interval95 - 1), 0.95);
  const auto plain = mechanism::describe(mechanism::parse(text), Epsilon::from(0.5), 1, Lattice::integer);
  EXPECT_NEAR(plain.within(0), std::tanh(0.25), 1e-12);
}

}  // namespace
}  // namespace dp::test
