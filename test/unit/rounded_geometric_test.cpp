// Geometric noise on a coarse lattice, and the staircase that is made for one error: steps that no other test chooses.
#include "core/noise/rounded_geometric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "core/mechanism/staircase/staircase_shape.h"
#include "support/bits.h"

namespace dp::test {
namespace {

using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Lattice;
using mechanism::parse;
using noise::Int128;

TEST(RoundedGeometric, RoundsToTheNearestMultipleHalvesUp) {
  const noise::RoundedGeometric law{4, {{1, 1}}};
  for (int exact = -40; exact <= 40; ++exact) {
    EXPECT_EQ(static_cast<int>(law.multiple(exact)), static_cast<int>(std::floor((exact + 2) / 4.0))) << exact;
  }
}

// What the privacy rests on: exact answers that differ by at most k steps are rounded to multiples that differ by at
// most k.
TEST(RoundedGeometric, RoundingDoesNotWidenAWholeNumberOfSteps) {
  for (const unsigned step : {1u, 2u, 3u, 5u, 8u}) {
    const noise::RoundedGeometric law{step, {{1, 1}}};
    for (int exact = -30; exact <= 30; ++exact) {
      for (unsigned k = 1; k <= 3; ++k) {
        for (unsigned change = 1; change <= k * step; ++change) {
          const auto moved = law.multiple(exact + static_cast<Int128>(change)) - law.multiple(exact);
          EXPECT_LE(static_cast<int>(moved), static_cast<int>(k));
        }
      }
    }
  }
}

TEST(RoundedGeometric, AnswersAreMultiplesAndOverflowThrows) {
  SeededBits bits(7);
  const noise::RoundedGeometric law{5, {{1, 3}}};
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(static_cast<int>(law.release(i, bits) % 5), 0);
  const noise::RoundedGeometric wide{noise::Uint128{1} << 64, {{1, noise::Uint128{1} << 100}}};
  EXPECT_THROW(for (int i = 0; i < 100; ++i) wide.release(0, bits), std::overflow_error);
}

TEST(RoundedGeometric, StepMustDivideTheSensitivity) {
  const auto calibrated = [](const char* text, unsigned sensitivity, Lattice lattice) {
    return calibrate(parse(text), Epsilon::from(1), Changes::one(sensitivity), lattice);
  };
  EXPECT_NO_THROW(calibrated("rounded_geometric(step=5)", 10, Lattice::integer));
  EXPECT_THROW(calibrated("rounded_geometric(step=4)", 10, Lattice::integer), Error);
  EXPECT_THROW(calibrated("rounded_geometric(step=20)", 10, Lattice::integer), Error);
  EXPECT_THROW(calibrated("rounded_geometric(step=2.5)", 10, Lattice::integer), Error);
  EXPECT_NO_THROW(calibrated("rounded_geometric(step=2.5)", 40, {Lattice::Kind::fine, -2}));  // a lattice step of 1/4
  EXPECT_THROW(parse("rounded_geometric"), Error);
  EXPECT_THROW(parse("rounded_geometric(step=0)"), Error);
  EXPECT_THROW(parse("rounded_geometric(step=-1)"), Error);
}

// Several coordinates are rounded one by one, so each has only its share.
TEST(RoundedGeometric, SeveralCoordinatesShareEpsilon) {
  const auto one = calibrate(parse("rounded_geometric(step=2)"), Epsilon::from(1), Changes::one(8), Lattice::integer);
  const auto two =
      calibrate(parse("rounded_geometric(step=2)"), Epsilon::from(1), Changes::sharing(2, 8), Lattice::integer);
  const auto rate = [](const mechanism::Calibration& c) {
    const auto& ratio = std::get<noise::RoundedGeometric>(c.law).noise.rate;
    return static_cast<double>(ratio.num) / static_cast<double>(ratio.den);
  };
  EXPECT_DOUBLE_EQ(rate(one), 0.25);
  EXPECT_DOUBLE_EQ(rate(two), 0.125);
}

// P(|X| <= r D) = r(1-a)/(r+a(1-r)) at the step r, for r < 1.
TEST(StaircaseForUsefulness, ContinuousReachesTheFormula) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    for (const double r : {0.05, 0.3, 0.9}) {
      const double a = std::exp(-epsilon);
      const auto mechanism = parse("staircase(metric=usefulness, gamma=" + std::to_string(r * 10) + ")");
      const auto described = describe(mechanism, Epsilon::from(epsilon), 10, Lattice::fine);
      EXPECT_NEAR(described.within(r * 10), r * (1 - a) / (r + a * (1 - r)), 1e-9);
      EXPECT_NEAR(described.loss.scale, r * 10, 1e-6);
    }
  }
}

TEST(StaircaseForUsefulness, NoIntegerStepIsBetter) {
  for (const double epsilon : {0.3, 2.0, 6.0}) {
    for (const double gamma : {0.5, 1.0, 3.0, 9.0, 11.0, 25.0}) {
      const auto mechanism = parse("staircase(metric=usefulness, gamma=" + std::to_string(gamma) + ")");
      const double reached = describe(mechanism, Epsilon::from(epsilon), 10, Lattice::integer).within(gamma);
      for (double r = 1; r <= 10; ++r) {
        EXPECT_GE(reached, mechanism::IntegerStaircase({{epsilon}, 10, r}).within(gamma) - 1e-12)
            << epsilon << " " << gamma << " " << r;
      }
    }
  }
}

TEST(StaircaseForUsefulness, KeysGoTogether) {
  EXPECT_THROW(parse("staircase(metric=usefulness)"), Error);
  EXPECT_THROW(parse("staircase(gamma=2)"), Error);
  EXPECT_THROW(parse("staircase(metric=l2, gamma=2)"), Error);
  EXPECT_THROW(parse("staircase(metric=usefulness, gamma=0)"), Error);
  EXPECT_THROW(parse("staircase(metric=usefulness, gamma=-1)"), Error);
}

}  // namespace
}  // namespace dp::test
