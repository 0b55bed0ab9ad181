// The figures of truncated_gg and bit_gg where they are hard to compute: wide ranges, large epsilon, whole numbers with
// many steps, distances beyond the range.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/mechanism/gg/power_shape.h"
#include "core/mechanism/gg/range_loss.h"
#include "core/mechanism/mechanism_text.h"
#include "support/power_laws.h"

namespace dp::mechanism {
namespace {

std::string text_of(const char* name, int p, double upper) {
  return std::string(name) + "(p=" + std::to_string(p) + ", lower=0, upper=" + decimal(upper) + ")";
}

void expect_near(double got, double wanted, double tolerance, const char* figure) {
  EXPECT_NEAR(got / wanted, 1, tolerance) << figure;
}

// With W/b large both boundaries are out of reach, so the law is the unbounded one, and its scale is where
// ((W - D)^p - W^p)/b^p, the loss at the boundary, is epsilon but for the ratio of the tails, (1 - D/W)^{1-p} for BIT.
TEST(RangeDescription, WideRangesAreFinite) {
  for (const int p : {1, 2, 3, 8, 16}) {
    for (const double epsilon : {1.0, 20.0, 50.0, 300.0, 1000.0, 1e6}) {
      for (const auto lattice : {Lattice::fine, Lattice::integer}) {
        const std::string text = text_of("bit_gg", p, 1e9);
        SCOPED_TRACE(testing::Message() << text << " at " << epsilon << (lattice == Lattice::fine ? "" : " integer"));
        const Description found = describe(parse(text), Epsilon::from(epsilon), 1, lattice);
        const double wanted = 1e9 * std::pow(-std::expm1(p * std::log1p(-1e-9)) / epsilon, 1.0 / p);
        expect_near(found.loss.scale, wanted, 1e-6, "scale");
        const PowerShape unbounded =
            lattice == Lattice::fine ? continuous_power_shape(p, wanted) : integer_power_shape(p, wanted);
        if (std::pow(5e8 / wanted, p) < 50) continue;
        if (unbounded.loss.expected_abs > 1e-9) {
          expect_near(found.loss.expected_abs, unbounded.loss.expected_abs, 1e-5, "expected_abs");
          expect_near(found.loss.expected_sq, unbounded.loss.expected_sq, 1e-5, "expected_sq");
        }
        EXPECT_NEAR(found.loss.entropy_bits, unbounded.loss.entropy_bits, 1e-5);
        EXPECT_NEAR(found.loss.interval95, unbounded.loss.interval95, 2e-6 * unbounded.loss.interval95 + 1e-9);
      }
    }
  }
}

// The continuous scale's own equation, ln T(W - D) - ln T(W) = epsilon, in 50 digits where those reach.
TEST(RangeDescription, WideScaleSolvesItsEquation) {
  for (const unsigned p : {2u, 3u, 8u}) {
    for (const double width : {10.0, 1e3, 1e5}) {
      for (const double epsilon : {1e-6, 0.1, 20.0, 1000.0}) {
        SCOPED_TRACE(testing::Message() << "p " << p << " width " << width << " epsilon " << epsilon);
        const double b = continuous_range_scale(RangeLaw::boundary, p, width, 1, Epsilon::from(epsilon));
        const auto log_tail = [&](double t) {
          const Real x = pow(Real(t) / b, p);
          return x > 1e8 ? Real(0) : log(upper_gamma(Real(1) / p, x));
        };
        if (std::pow(width / b, p) > 1e5) continue;
        EXPECT_NEAR(static_cast<double>(Real(log_tail(width - 1) - log_tail(width))) / epsilon, 1, 1e-8);
      }
    }
  }
}

// Nothing lies beyond the range, and the figures agree with the law's own sums.
TEST(RangeDescription, NothingLiesBeyondTheRange) {
  for (const auto law : {RangeLaw::truncated, RangeLaw::boundary}) {
    for (const unsigned p : {1u, 3u, 16u}) {
      for (const double b : {0.3, 5.0, 600.0, 1e5}) {
        for (const double width : {1.0, 7.0, 100.0, 8193.0, 20001.0, 1e6}) {
          SCOPED_TRACE(testing::Message() << "p " << p << " b " << b << " width " << width);
          for (const PowerShape& shape :
               {continuous_range_shape(law, p, b, width), integer_range_shape(law, p, b, width)}) {
            const double right = std::ceil(width / 2);
            EXPECT_EQ(shape.within(right), 1);
            EXPECT_EQ(shape.within(width), 1);
            EXPECT_EQ(shape.within(1e300), 1);
            EXPECT_LE(shape.within(std::nextafter(width / 2, 0)), 1);
            EXPECT_GE(shape.within(shape.loss.interval95), 0.95 - 1e-12);
            EXPECT_LE(shape.loss.interval95, right);
          }
        }
      }
    }
  }
}

// On many steps `within` comes from formulas: against the sums over all of them, at odd and even widths.
TEST(RangeDescription, ManyStepsAgreeWithTheSums) {
  for (const auto law : {RangeLaw::truncated, RangeLaw::boundary}) {
    for (const unsigned p : {1u, 2u, 5u}) {
      for (const double width : {9000.0, 9001.0}) {
        for (const double b : {513.0, 3000.0, 20000.0}) {
          SCOPED_TRACE(testing::Message() << "p " << p << " b " << b << " width " << width);
          const PowerShape shape = integer_range_shape(law, p, b, width);
          const double left = std::floor(width / 2), right = width - left;
          const auto weight = [&](double x) { return std::exp(-std::pow(std::fabs(x) / b, p)); };
          double total = 0, within = 0, sum_abs = 0, sum_sq = 0;
          std::map<double, double> weights;  // by the noise
          for (double x = -40 * b - width; x <= 40 * b + width; ++x) {
            const bool outside = x < -left || x > right;
            if (outside && law == RangeLaw::truncated) continue;
            const double noise = x < -left ? -left : x > right ? right : x;
            total += weight(x);
            weights[noise] += weight(x);
            sum_abs += weight(x) * std::fabs(noise);
            sum_sq += weight(x) * noise * noise;
            if (std::fabs(noise) <= std::floor(left / 3)) within += weight(x);
          }
          EXPECT_NEAR(shape.within(left / 3), within / total, 1e-12);
          EXPECT_NEAR(shape.loss.expected_abs / (sum_abs / total), 1, 2e-6);
          EXPECT_NEAR(shape.loss.expected_sq / (sum_sq / total), 1, 2e-6);
          double entropy = 0;
          for (const auto& [noise, mass] : weights) {
            if (mass > 0) entropy -= mass / total * (std::log2(mass) - std::log2(total));
          }
          EXPECT_NEAR(shape.loss.entropy_bits, entropy, 1e-5);
          double edge = 0;  // both ends but the far one of an odd width
          for (double x = left + 1; x <= 40 * b + width; ++x)
            edge += law == RangeLaw::truncated && x > right ? 0 : weight(x);
          EXPECT_NEAR(shape.within(left), right > left ? 1 - edge / total : 1, 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::mechanism
