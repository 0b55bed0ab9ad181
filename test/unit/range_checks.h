// What is asked of both laws on a declared range, truncated_gg and bit_gg: the loss of the integer law by brute force,
// its certificate, and how it treats exact answers outside.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "core/mechanism/gg/range_loss.h"
#include "core/noise/range_noise.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/power_laws.h"

namespace dp::test {

using Cut = mechanism::RangeLaw;  // RangeLaw itself is the law of one answer (support/power_laws.h)

// The law of an answer on low..high whose exact value x lies there.
inline RangeLaw range_law(Cut cut, const Real& p, const Real& b, std::int64_t low, std::int64_t high, std::int64_t x) {
  return cut == Cut::truncated ? RangeLaw::truncated(p, b, low, high, x)
                               : RangeLaw::inflated(PowerLaw(p, b), low, high, x);
}

// The most that the law on 0..width loses between two exact answers at most `change` apart.
inline Real true_range_loss(Cut cut, const Real& p, const Real& b, std::int64_t width, std::int64_t change) {
  if (cut == Cut::truncated) {
    return worst_range_loss(width, change, [&](std::int64_t x) { return RangeLaw::truncated(p, b, 0, width, x); });
  }
  const PowerLaw noise(p, b);
  return worst_range_loss(width, change, [&](std::int64_t x) { return RangeLaw::inflated(noise, 0, width, x); });
}

struct ScaleRow {
  unsigned p;
  double width, epsilon, change, scale;
};

// another program; for p = 2 the paper, to the digits that stand there.
inline void expect_reference_scales(Cut cut, std::span<const ScaleRow> rows) {
  for (const auto& [p, width, epsilon, change, scale] : rows) {
    SCOPED_TRACE(testing::Message() << "p " << p << " width " << width << " epsilon " << epsilon << " change "
                                    << change);
    const double found = mechanism::continuous_range_scale(cut, p, width, change, mechanism::Epsilon::from(epsilon));
    EXPECT_NEAR(found / scale, 1, p == 2 ? 2e-6 : 1e-6);
  }
}

// Never above epsilon, below it by a part of `slack` at most, for all inputs, changes and answers; ranges no wider than
// the change included. `least` is the smallest epsilon tried.
inline void expect_epsilon_is_kept(Cut cut, double least, double slack) {
  for (const unsigned p : {1u, 2u, 3u, 4u, 8u, 16u}) {
    for (const double epsilon : {least, 0.5, 1.0, 5.0}) {
      for (const int width : {1, 2, 3, 5, 10, 17}) {
        for (const int change : {1, 2, 4, 8, 12, 20}) {
          if (change > 2 * width) continue;
          SCOPED_TRACE(testing::Message()
                       << "p " << p << " epsilon " << epsilon << " width " << width << " change " << change);
          const auto law =
              mechanism::certified_range_scale(cut, p, static_cast<noise::Uint128>(width),
                                               static_cast<noise::Uint128>(change), mechanism::Epsilon::from(epsilon));
          const Real loss = true_range_loss(cut, p, law.scale(), width, change);
          EXPECT_LE(loss, epsilon * (1 + Real("1e-15")));
          EXPECT_GE(loss, epsilon * (1 - Real(slack))) << "more noise than needed";
        }
      }
    }
  }
}

// The certificate holds at any scale, not only at the calibrated one.
inline void expect_certificate_is_an_upper_bound(Cut cut) {
  for (const unsigned p : {1u, 2u, 3u, 5u, 16u}) {
    for (const double b : {0.4, 1.0, 3.0, 8.0, 40.0}) {
      for (const int width : {1, 4, 9, 14}) {
        for (const int change : {1, 2, 5, 8, 9, 14}) {
          if (std::pow(width / b, p) > 100) continue;  // what the brute force could not add up
          const Real certified = mechanism::certified_loss(cut, p, b, width, change);
          EXPECT_GE(certified * (1 + Real("1e-25")), true_range_loss(cut, p, b, width, change))
              << p << ' ' << b << ' ' << width << ' ' << change;
        }
      }
    }
  }
}

inline void expect_the_continuous_scale_on_fine_steps(Cut cut) {
  for (const unsigned p : {1u, 2u, 3u, 8u}) {
    for (const double epsilon : {0.01, 1.0, 10.0}) {
      const noise::Uint128 step = noise::Uint128{1} << 33;
      const auto asked = mechanism::Epsilon::from(epsilon);
      const auto law = mechanism::certified_range_scale(cut, p, 7 * step, 2 * step, asked);
      const double wanted = mechanism::continuous_range_scale(cut, p, 7, 2, asked);
      EXPECT_NEAR(std::ldexp(law.scale(), -33) / wanted, 1, 1e-6) << p << ' ' << epsilon;
    }
  }
}

struct SamplerCase {
  unsigned p;
  std::uint64_t mantissa;
  int exponent;
  int low, high, exact;
  double teeth;
};

// Every choice of bits to a depth; an exact answer outside the range counts as the nearest end.
template <class Sampler>
void expect_sampler_has_its_law(Cut cut, std::span<const SamplerCase> cases) {
  for (const auto& [p, mantissa, exponent, low, high, exact, teeth] : cases) {
    SCOPED_TRACE(testing::Message() << "p " << p << ' ' << low << ".." << high << " at " << exact);
    const Sampler law{noise::GeneralisedGaussian::with_scale(p, mantissa, exponent), low, high};
    const auto seen = enumerate(16, [&](noise::BitSource& bits) { return law.release(exact, bits); });
    const std::int64_t x = std::clamp(exact, low, high);
    expect_encloses(seen, range_law(cut, p, ldexp(Real(mantissa), exponent), low, high, x), teeth);
  }
}

template <class Sampler>
void expect_answers_outside_count_as_the_nearest_end() {
  for (const std::uint64_t mantissa : {3, 50}) {
    const Sampler law{noise::GeneralisedGaussian::with_scale(3, mantissa, 0), -4, 6};
    for (const auto& [outside, end] : {std::pair{-50, -4}, {1000, 6}}) {
      SeededBits one(3), other(3);
      for (int i = 0; i < 200; ++i) EXPECT_EQ(law.release(outside, one), law.release(end, other));
    }
  }
}

}  // namespace dp::test
