// truncated_gg: the scale on the reals against reference values, the loss of the integer law by brute force, the
// sampler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "mechanism/range_loss.h"
#include "noise/range_noise.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/power_laws.h"

namespace dp::test {
namespace {

using mechanism::Epsilon;
using noise::GeneralisedGaussian;
using noise::Uint128;

constexpr auto kTruncated = mechanism::RangeLaw::truncated;

Real true_loss(unsigned p, const Real& b, std::int64_t width, std::int64_t change) {
  return worst_range_loss(width, change, [&](std::int64_t x) { return RangeLaw::truncated(p, b, 0, width, x); });
}

// truncated_gg.json: b_exact_trunc.
TEST(TruncatedScale, AgreesWithReferenceOnTheReals) {
  struct {
    unsigned p;
    double width, epsilon, change, scale;
  } const rows[] = {{1, 10, 0.5, 1, 3.5278709448163266},
                    {3, 10, 0.5, 1, 7.583857401921281},
                    {1, 10, 1, 1, 1.6115601044179808},
                    {3, 10, 1, 1, 6.153214177502521},
                    {1, 10, 2, 1, 0.69745631653672},
                    {3, 10, 2, 1, 4.97376310347765},
                    {1, 10, 0.5, 2, 6.802440709941886},
                    {3, 10, 0.5, 2, 9.08931781165038},
                    {1, 10, 1, 2, 3.177876213211946},
                    {3, 10, 1, 2, 7.352155438412607},
                    {1, 10, 2, 2, 1.3940041927417244},
                    {3, 10, 2, 2, 5.958786468183791},
                    {1, 100, 0.5, 1, 3.559608083989505},
                    {3, 100, 0.5, 1, 38.296030670896634},
                    {1, 100, 1, 1, 1.612605395905182},
                    {3, 100, 1, 1, 30.606444553404536},
                    {1, 100, 2, 1, 0.6974566675320322},
                    {3, 100, 2, 1, 24.398780491121574},
                    {1, 100, 0.5, 2, 7.119215368990409},
                    {3, 100, 0.5, 2, 47.579136205177264},
                    {1, 100, 1, 2, 3.225210791810329},
                    {3, 100, 1, 2, 38.17559479679641},
                    {1, 100, 2, 2, 1.3949133350640643},
                    {3, 100, 2, 2, 30.509158081201896},
                    {2, 10, 1, 1, 3.90079}};  // the last from the text, to its five digits
  for (const auto& [p, width, epsilon, change, scale] : rows) {
    SCOPED_TRACE(testing::Message() << "p " << p << " width " << width << " epsilon " << epsilon << " change "
                                    << change);
    const double found = mechanism::continuous_range_scale(kTruncated, p, width, change, Epsilon::from(epsilon));
    EXPECT_NEAR(found / scale, 1, p == 2 ? 2e-6 : 1e-6);
  }
}

// Never above epsilon, hardly below, for all inputs, changes and answers; ranges no wider than the change included.
TEST(TruncatedScale, KeepsEpsilonOnTheIntegers) {
  for (const unsigned p : {1u, 2u, 3u, 4u, 8u, 16u}) {
    for (const double epsilon : {0.01, 0.5, 1.0, 5.0}) {
      for (const int width : {1, 2, 3, 5, 10, 17}) {
        for (const int change : {1, 2, 4, 8, 12, 20}) {
          if (change > 2 * width) continue;
          SCOPED_TRACE(testing::Message()
                       << "p " << p << " epsilon " << epsilon << " width " << width << " change " << change);
          const auto law = mechanism::certified_range_scale(kTruncated, p, static_cast<Uint128>(width),
                                                            static_cast<Uint128>(change), Epsilon::from(epsilon));
          const Real loss = true_loss(p, law.scale(), width, change);
          EXPECT_LE(loss, epsilon * (1 + Real("1e-15")));
          EXPECT_GE(loss, epsilon * (1 - Real("2e-4"))) << "more noise than needed";
        }
      }
    }
  }
}

// The certificate is an upper bound at any scale, not only at the calibrated one.
TEST(TruncatedScale, CertificateIsAnUpperBound) {
  for (const unsigned p : {1u, 2u, 3u, 5u, 16u}) {
    for (const double b : {0.4, 1.0, 3.0, 8.0, 40.0}) {
      for (const int width : {1, 4, 9, 14}) {
        for (const int change : {1, 2, 5, 8, 14}) {
          if (std::pow(width / b, p) > 100) continue;  // what the brute force could not add up
          const Real certified = mechanism::certified_loss(kTruncated, p, b, width, change);
          EXPECT_GE(certified * (1 + Real("1e-25")), true_loss(p, b, width, change))
              << p << ' ' << b << ' ' << width << ' ' << change;
        }
      }
    }
  }
}

// The continuous formula is unsafe for whole numbers: p = 3, W = 10, epsilon = 1 loses 1.0114.
TEST(TruncatedScale, ContinuousScaleIsUnsafeOnTheIntegers) {
  const double b = mechanism::continuous_range_scale(kTruncated, 3, 10, 1, Epsilon::from(1));
  EXPECT_NEAR(static_cast<double>(true_loss(3, b, 10, 1)), 1.0114, 5e-5);
}

TEST(TruncatedScale, ApproachesTheContinuousOne) {
  for (const unsigned p : {1u, 2u, 3u, 8u}) {
    for (const double epsilon : {0.01, 1.0, 10.0}) {
      const Uint128 step = Uint128{1} << 33;
      const auto law = mechanism::certified_range_scale(kTruncated, p, 7 * step, 2 * step, Epsilon::from(epsilon));
      const double wanted = mechanism::continuous_range_scale(kTruncated, p, 7, 2, Epsilon::from(epsilon));
      EXPECT_NEAR(std::ldexp(law.scale(), -33) / wanted, 1, 1e-6) << p << ' ' << epsilon;
    }
  }
}

// Both ways of proposing, an answer in the middle, at an end and outside.
TEST(TruncatedSampler, HasItsLaw) {
  struct {
    unsigned p;
    std::uint64_t mantissa;
    int exponent;
    int low, high, exact;
    double teeth;
  } const cases[] = {{1, 4, 0, -1, 1, 0, 0.1}, {3, 5, 0, 2, 5, 3, 0.1},   {3, 5, 0, 2, 5, -100, 0.1},
                     {2, 9, -1, 0, 3, 7, 0.1}, {1, 3, -1, -2, 2, 0, 0.5}, {2, 1, 0, 0, 2, 2, 0.7}};
  for (const auto& [p, mantissa, exponent, low, high, exact, teeth] : cases) {
    SCOPED_TRACE(testing::Message() << "p " << p << ' ' << low << ".." << high << " at " << exact);
    const noise::TruncatedGeneralisedGaussian law{GeneralisedGaussian::with_scale(p, mantissa, exponent), low, high};
    const auto seen = enumerate(16, [&](noise::BitSource& bits) { return law.release(exact, bits); });
    const std::int64_t x = std::clamp(exact, low, high);
    expect_encloses(seen, RangeLaw::truncated(p, ldexp(Real(mantissa), exponent), low, high, x), teeth);
  }
}

TEST(TruncatedSampler, AnswersOutsideCountAsTheNearestEnd) {
  for (const std::uint64_t mantissa : {3, 50}) {
    const noise::TruncatedGeneralisedGaussian law{GeneralisedGaussian::with_scale(3, mantissa, 0), -4, 6};
    for (const auto& [outside, end] : {std::pair{-50, -4}, {1000, 6}}) {
      SeededBits one(3), other(3);
      for (int i = 0; i < 200; ++i) EXPECT_EQ(law.release(outside, one), law.release(end, other));
    }
  }
}

}  // namespace
}  // namespace dp::test
