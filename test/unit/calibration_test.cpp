// The privacy that calibrated noise really gives, from the pmf of the integer law that is drawn: never more loss than
// asked for, and no more noise than needed.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "mechanism_laws.h"

namespace dp::test {
namespace {

using mechanism::Calibration;
using mechanism::Changes;
using mechanism::Epsilon;
using mechanism::Lattice;
using noise::Uint128;

const char* const kPure[] = {"geometric", "laplace", "staircase", "staircase(metric=l2)", "auto"};

Calibration calibrated(const std::string& mechanism, double epsilon, const Changes& changes, Lattice lattice) {
  return mechanism::calibrate(mechanism::parse(mechanism), Epsilon::from(epsilon), changes, lattice);
}

std::vector<Real> losses_of(const mechanism::Law& law, std::int64_t most) {
  if (const auto* laplace = std::get_if<noise::DiscreteLaplace>(&law)) return losses_by_shift(reading(*laplace), most);
  return losses_by_shift(reading(std::get<noise::Staircase>(law)), most);
}

// Not above epsilon but for the rounding of 50 digits, not below but for one part in 10^9.
void expect_spends(const Real& loss, double epsilon) {
  const Real asked = real(Epsilon::from(epsilon));
  EXPECT_LE(loss, asked + Real(1e-35)) << "more is lost than asked for";
  EXPECT_GE(loss, asked * (1 - Real(1e-9))) << "more noise than needed";
}

TEST(CalibrationOfOne, PureLawsLoseExactlyEpsilon) {
  for (const std::string mechanism : kPure) {
    for (const double epsilon : {1e-9, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0}) {
      for (const std::int64_t sensitivity : {1, 2, 4, 7, 10}) {
        for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
          SCOPED_TRACE(testing::Message() << mechanism << " epsilon " << epsilon << " sensitivity " << sensitivity);
          const Calibration used = calibrated(mechanism, epsilon, Changes::one(sensitivity), lattice);
          if (used.refinement == 0) {
            const auto losses = losses_of(used.law, sensitivity);
            expect_spends(*std::max_element(losses.begin(), losses.end()), epsilon);
          } else {
            // Too fine for brute force: the law is geometric, so one step's loss times the steps of the change.
            const auto& law = std::get<noise::DiscreteLaplace>(used.law);
            const std::vector<Real> losses = losses_by_shift(reading(law), 2);
            EXPECT_LE(abs(losses[2] / losses[1] - 2), 1e-25);
            expect_spends(ldexp(losses[1] * sensitivity, static_cast<int>(used.refinement)), epsilon);
          }
        }
      }
    }
  }
}

// Exactly, in integers, for sensitivities that no sum over a pmf reaches.
TEST(CalibrationOfOne, RateTimesSensitivityIsEpsilonToTheLastBit) {
  for (const std::string mechanism : {"geometric", "laplace"}) {
    for (const double epsilon : {1e-9, 0.1, 0.333333333, 1.0, 7.0, 1e6}) {
      for (const Uint128 sensitivity :
           {Uint128{1}, Uint128{3}, Uint128{1} << 20, (Uint128{1} << 32) - 5, Uint128{1} << 32, (Uint128{1} << 32) + 1,
            (Uint128{1} << 63) - 25, Uint128{1} << 64}) {
        for (const Lattice lattice : {Lattice::integer, Lattice::fine}) {
          const Calibration used = calibrated(mechanism, epsilon, Changes::one(sensitivity), lattice);
          const noise::Ratio rate = std::get<noise::DiscreteLaplace>(used.law).rate;
          // rate * sensitivity * 2^refinement * 10^9 = nano, in 50 digits, which hold these products exactly.
          const Real steps = ldexp(real(sensitivity), static_cast<int>(used.refinement));
          EXPECT_EQ(real(rate.num) * steps * Epsilon::kPerUnit, real(rate.den) * Epsilon::from(epsilon).nano);
        }
      }
    }
  }
}

// laplace on whole numbers is drawn on a finer lattice: as fine as 2^32 steps in the sensitivity, never finer.
TEST(CalibrationOfOne, LaplaceRefinesWholeNumbersOnly) {
  for (const std::uint64_t sensitivity :
       {1ull, 2ull, 3ull, 1000ull, (1ull << 32) - 1, 1ull << 32, (1ull << 32) + 1, 1ull << 63}) {
    const Changes changes = Changes::one(sensitivity);
    EXPECT_EQ(calibrated("laplace", 1, changes, Lattice::fine).refinement, 0u);
    EXPECT_EQ(calibrated("geometric", 1, changes, Lattice::integer).refinement, 0u);
    const unsigned refinement = calibrated("laplace", 1, changes, Lattice::integer).refinement;
    const Uint128 steps = Uint128{sensitivity} << refinement, most = Uint128{1} << 32;
    EXPECT_TRUE(refinement == 0 || (steps <= most && 2 * steps > most)) << sensitivity << " by 2^" << refinement;
  }
  EXPECT_EQ(calibrated("laplace", 1, Changes::one(1), Lattice::integer).refinement, 32u);
}

TEST(CalibrationOfOne, GaussianDeltaIsKeptAndSpent) {
  for (const double epsilon : {0.1, 1.0, 2.0, 3.0, 10.0}) {
    for (const char* delta : {"0.1", "0.01", "1e-5", "1e-10"}) {
      for (const std::int64_t sensitivity : {1, 3, 10}) {
        if (static_cast<double>(sensitivity) / epsilon > 10)
          continue;  // sums of many thousand terms; see gaussian_delta_test
        SCOPED_TRACE(testing::Message() << "epsilon " << epsilon << " delta " << delta << " sensitivity "
                                        << sensitivity);
        const std::string mechanism = std::string("gaussian(delta=") + delta + ")";
        const Calibration used = calibrated(mechanism, epsilon, Changes::one(sensitivity), Lattice::integer);
        const Real variance = variance_of(std::get<noise::DiscreteGaussian>(used.law));
        const Real asked = real(mechanism::delta_of(used.mechanism));
        const Real spent = summed_delta(variance, sensitivity, real(Epsilon::from(epsilon)));
        EXPECT_LE(spent, asked);
        EXPECT_GE(spent, asked * (1 - Real(1e-6))) << "a smaller sigma would do";
      }
    }
  }
}

// A smaller change is never the worse one.
TEST(CalibrationOfOne, GaussianDeltaHoldsForSmallerChanges) {
  for (const double epsilon : {0.5, 2.0}) {
    const Calibration used = calibrated("gaussian(delta=0.01)", epsilon, Changes::one(8), Lattice::integer);
    const Real variance = variance_of(std::get<noise::DiscreteGaussian>(used.law));
    for (std::int64_t shift = 1; shift <= 8; ++shift) {
      EXPECT_LE(summed_delta(variance, shift, real(Epsilon::from(epsilon))), Real("0.01"));
    }
  }
}

TEST(CalibrationOfSeveral, DiscreteLaplaceLosesEpsilonAtTheJointL1) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    for (const unsigned coordinates : {2u, 3u}) {
      for (const std::int64_t total : {1, 4, 9}) {
        const Calibration used = calibrated("geometric", epsilon, Changes::sharing(coordinates, total), Lattice::fine);
        EXPECT_EQ(used.refinement, 0u);
        expect_spends(worst_shared_loss(losses_of(used.law, total), coordinates, total), epsilon);
      }
    }
  }
}

// Where what changes lies in several vectors, so that no law of one vector is private for all.
TEST(CalibrationOfSeveral, StaircaseIsSplitOrLaplace) {
  for (const double epsilon : {0.1, 1.0, 3.0, 20.0}) {
    for (const unsigned coordinates : {2u, 3u}) {
      for (const std::int64_t total : {1, 4, 9}) {
        const auto whole = static_cast<Uint128>(total);
        const Calibration used =
            calibrated("staircase", epsilon, Changes{coordinates, whole, whole, whole}, Lattice::fine);
        if (const auto* const law = std::get_if<noise::Staircase>(&used.law)) {
          EXPECT_TRUE(law->width == whole);
          EXPECT_EQ(real(law->epsilon.num) * coordinates * Epsilon::kPerUnit,
                    real(law->epsilon.den) * Epsilon::from(epsilon).nano);
        } else {
          EXPECT_TRUE(std::holds_alternative<noise::DiscreteLaplace>(used.law));
        }
        const Real loss = worst_shared_loss(losses_of(used.law, total), coordinates, total);
        EXPECT_LE(loss, real(Epsilon::from(epsilon)) + Real(1e-40));
        if (total >= static_cast<std::int64_t>(coordinates)) expect_spends(loss, epsilon);
      }
    }
  }
}

// What the split is for: at the joint l1 and the whole epsilon, a pair that changes by (1, 1) would lose it twice.
TEST(CalibrationOfSeveral, StaircaseAtTheJointL1WouldLoseTwice) {
  for (const std::int64_t total : {2, 4, 9}) {
    const Calibration naive = calibrated("staircase", 1, Changes::one(total), Lattice::fine);
    const std::vector<Real> losses = losses_of(naive.law, total);
    EXPECT_LE(abs(losses[1] - 1), 1e-30) << "one step costs all of epsilon";
    EXPECT_LE(abs(worst_shared_loss(losses, 2, total) - 2), 1e-30);
  }
}

TEST(CalibrationOfSeveral, GaussianPairKeepsDeltaForEveryShift) {
  for (const double epsilon : {0.5, 1.0, 3.0}) {
    for (const char* delta : {"0.1", "0.001"}) {
      for (const std::int64_t total : {1, 2, 5}) {
        const std::string mechanism = std::string("gaussian(delta=") + delta + ")";
        const Calibration used = calibrated(mechanism, epsilon, Changes::sharing(2, total), Lattice::fine);
        const Real variance = variance_of(std::get<noise::DiscreteGaussian>(used.law));
        // The law is symmetric in each coordinate, so the signs of a shift do not matter.
        for (std::int64_t a = 0; 2 * a <= total; ++a) {
          EXPECT_LE(summed_pair_delta(variance, a, total - a, epsilon), std::stold(delta))
              << mechanism << " epsilon " << epsilon << " shift " << a << ", " << total - a;
        }
      }
    }
  }
}

// The joint bound is Renyi's, so some noise is wasted; this says how much at most.
TEST(CalibrationOfSeveral, GaussianPairIsNotFarAboveOneCoordinate) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const auto variance = [&](const Changes& changes) {
      const Calibration used = calibrated("gaussian(delta=1e-6)", epsilon, changes, Lattice::fine);
      return static_cast<double>(variance_of(std::get<noise::DiscreteGaussian>(used.law)));
    };
    const double ratio = std::sqrt(variance(Changes::sharing(2, 1000)) / variance(Changes::one(1000)));
    EXPECT_GE(ratio, 1);
    EXPECT_LE(ratio, 1.25) << "epsilon " << epsilon;
  }
}

}  // namespace
}  // namespace dp::test
