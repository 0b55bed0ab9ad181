// The certifier of Gaussian noise: never below the true delta, and so little above it that no noise is wasted.
#include "core/mechanism/gaussian/gaussian_delta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanism_laws.h"

namespace dp::test {
namespace {

using mechanism::delta_of_continuous;
using mechanism::delta_of_joint;
using mechanism::delta_of_shift;
using mechanism::Epsilon;

// `truth` is summed without the terms beyond its last one, so it may be that little too small, never too large.
void expect_certified(const Real& certified, const Real& truth) {
  EXPECT_GE(certified, truth * (1 - Real(1e-40))) << "the certifier promises too much";
  EXPECT_LE(certified, truth * (1 + Real(1e-9))) << "the certifier wastes noise";
}

void check(double sigma_squared, std::int64_t shift, double epsilon) {
  SCOPED_TRACE(testing::Message() << "variance " << sigma_squared << " shift " << shift << " epsilon " << epsilon);
  const Epsilon e = Epsilon::from(epsilon);
  const Real truth = summed_delta(sigma_squared, shift, real(e));
  if (truth < Real(1e-30)) return;  // no delta is asked that small, and truncation is as large
  expect_certified(delta_of_shift(sigma_squared, shift, e), truth);
}

// Here the law is nearly a point: delta leaps from 1 to 0 in a sliver of the variance.
TEST(DeltaOfShift, TinySigma) {
  for (const double sigma : {0.0007, 0.003, 0.05}) {
    for (const double loss : {0.5, 0.999, 0.999999, 1.0, 1.000001, 1.5}) {
      const double at = loss / (2 * sigma * sigma);  // P(1)/P(0) = e^{-at/loss}
      if (at <= 1e6) check(sigma * sigma, 1, at);
    }
  }
  check(0.25, 1, 0.5);
  check(0.25, 3, 8);
}

TEST(DeltaOfShift, SmallAndMiddlingSigma) {
  for (const double sigma : {0.3, 1.0, 3.74048, 7.5, 15.9}) {
    for (const std::int64_t shift : {1, 2, 7, 20}) {
      for (const double epsilon : {1e-9, 0.1, 1.0, 3.0, 10.0}) check(sigma * sigma, shift, epsilon);
    }
  }
}

// Sums below a variance of 256, the Euler-Maclaurin formula above it: the truth knows of no such border.
TEST(DeltaOfShift, BothSidesOfTheBorderBetweenSumsAndFormula) {
  for (const double variance : {255.0, 256.0, std::nextafter(256.0, 257.0), 257.0, 300.0}) {
    for (const std::int64_t shift : {1, 5, 40}) {
      for (const double epsilon : {1e-6, 0.1, 0.5, 2.0}) check(variance, shift, epsilon);
    }
  }
}

// first = floor(epsilon v / shift - shift / 2) + 1: below zero for large shifts, and then zero and one.
TEST(DeltaOfShift, ThresholdsOfBothSigns) {
  for (const double epsilon : {0.001, 0.5, 1.0, 1.9, 2.1}) check(400, 40, epsilon);
  for (const double epsilon : {0.02, 0.49, 0.5, 0.51}) check(16, 4, epsilon);
  check(900, 200, 0.01);
  check(900, 200, 30);
  check(4, 60, 1);
  check(4, 60, 440);
}

TEST(DeltaOfShift, LargeSigma) {
  for (const std::int64_t shift : {1, 100}) check(900, shift, 0.1);
  check(90'000, 1, 0.01);
  check(90'000, 300, 1.0);
}

// Beyond the reach of sums the law is the continuous one, and 10^20 of either must not cancel to noise.
TEST(DeltaOfShift, HugeSigmaApproachesTheContinuousDelta) {
  for (const double size : {1e9, 0x1p32, 0x1p64}) {
    for (const double epsilon : {0.1, 1.0, 3.0}) {
      const Epsilon e = Epsilon::from(epsilon);
      const Real variance = Real(size) * size * 14 / (epsilon * epsilon);
      const Real ratio = delta_of_shift(variance, size, e) / delta_of_continuous(variance, size, e);
      EXPECT_LE(abs(ratio - 1), 1e-6) << size << " epsilon " << epsilon << ": " << ratio;
    }
  }
}

TEST(DeltaOfShift, GrowsWithTheShift) {
  for (const double variance : {0.5, 9.0, 255.0, 1000.0, 1e12}) {
    for (const double epsilon : {0.1, 1.0, 4.0}) {
      Real before = 0;
      for (int shift = 1; shift <= 40; ++shift) {
        const Real now = delta_of_shift(variance, shift, Epsilon::from(epsilon));
        EXPECT_GE(now, before * (1 - Real(1e-12)))
            << "variance " << variance << " epsilon " << epsilon << " shift " << shift;
        before = now;
      }
    }
  }
}

// The shifts within the change, not only the largest, by brute force.
TEST(DeltaOfShift, LargestShiftIsTheWorst) {
  for (const double variance : {0.4, 6.0, 30.0}) {
    for (const double epsilon : {0.3, 2.0}) {
      const Real certified = delta_of_shift(variance, 9, Epsilon::from(epsilon));
      for (int shift = 1; shift <= 9; ++shift) {
        EXPECT_LE(summed_delta(variance, shift, real(Epsilon::from(epsilon))), certified);
      }
    }
  }
}

// sigma of the analytic Gaussian at sensitivity 1, computed by another program in high precision.
TEST(DeltaOfContinuous, Reference) {
  struct Row {
    double epsilon, delta, sigma;
  };
  for (const auto& [epsilon, delta, sigma] :
       {Row{0.1, 1e-5, 30.74956613197755}, Row{0.1, 1e-6, 36.30469042619627}, Row{1, 1e-5, 3.7306316348159387},
        Row{1, 1e-6, 4.224678889326848}, Row{3, 1e-5, 1.390593456674534}, Row{3, 1e-6, 1.5438614177756416}}) {
    const Real got = delta_of_continuous(Real(sigma) * sigma, 1, Epsilon::from(epsilon));
    EXPECT_LE(abs(got / delta - 1), 1e-9) << "epsilon " << epsilon << " delta " << delta;
    EXPECT_LE(abs(delta_of_continuous(Real(sigma) * sigma * 49, 7, Epsilon::from(epsilon)) / got - 1), 1e-40);
  }
}

// noise.md's warning: the continuous scale is not the integer law's. For a count at epsilon 2, delta 0.1 it has .1303.
TEST(DeltaOfContinuous, IsNotTheIntegerLawsDelta) {
  double low = 0.01, high = 100;
  const Epsilon two = Epsilon::from(2);
  while (high - low > 1e-12) {
    const double middle = (low + high) / 2;
    (delta_of_continuous(middle, 1, two) > Real("0.1") ? low : high) = middle;
  }
  EXPECT_NEAR(static_cast<double>(delta_of_shift(high, 1, two)), 0.1303, 5e-5);
  EXPECT_NEAR(static_cast<double>(summed_delta(high, 1, 2)), 0.1303, 5e-5);
}

TEST(DeltaOfJoint, NeverBelowTheTruthOfAPair) {
  for (const double variance : {0.5, 2.0, 10.0, 100.0}) {
    for (const double epsilon : {0.1, 0.5, 1.0, 3.0}) {
      for (const auto& [a, b] : {std::pair{0, 1}, {1, 1}, {0, 3}, {1, 2}, {3, 4}, {5, 5}}) {
        const Real certified = delta_of_joint(variance, sqrt(Real(a * a + b * b)), Epsilon::from(epsilon));
        const long double truth = summed_pair_delta(variance, a, b, epsilon);
        EXPECT_GE(certified, truth * (1 - 1e-12L))
            << "variance " << variance << " epsilon " << epsilon << " shift " << a << ", " << b;
      }
    }
  }
}

// It must hold for one coordinate too, and there the truth is known to all digits.
TEST(DeltaOfJoint, NeverBelowTheTruthOfOne) {
  for (const double variance : {0.01, 1.0, 14.0, 1000.0, 1e6}) {
    for (const int shift : {1, 3, 30}) {
      for (const double epsilon : {1e-9, 0.1, 1.0, 10.0, 100.0}) {
        const Epsilon e = Epsilon::from(epsilon);
        EXPECT_GE(delta_of_joint(variance, shift, e) * (1 + Real(1e-20)), delta_of_shift(variance, shift, e))
            << "variance " << variance << " shift " << shift << " epsilon " << epsilon;
      }
    }
  }
}

}  // namespace
}  // namespace dp::test
