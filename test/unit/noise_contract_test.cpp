// What the noise layer promises besides its laws: the order of bits, errors instead of wrapping, no draw without
// entropy.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/geometric.h"
#include "core/noise/integers.h"
#include "core/noise/primitives.h"
#include "core/noise/relaxation.h"
#include "core/noise/staircase.h"
#include "support/bits.h"

namespace dp::test {
namespace {

using noise::Int128;
using noise::Uint128;

constexpr Uint128 kUint128Max = ~Uint128{0};

void append(std::vector<bool>& script, const std::vector<bool>& more) {
  script.insert(script.end(), more.begin(), more.end());
}

// The bits that make below(m) return `value`, for an m of `count` bits.
std::vector<bool> uniform(unsigned count, unsigned value) {
  std::vector<bool> script;
  for (unsigned i = 0; i < count; ++i) script.push_back(i < 32 && (value >> i & 1) != 0);
  return script;
}

// The bits that make e^{-1} succeed `units` times, then fail. In bernoulli_exp_unit(1, 1) k reaches 2 without a bit;
// then 1 refuses 1/2 and ends it even, a failure, while 0 accepts 1/2 and 1 refuses 1/3, a success.
std::vector<bool> geometric_units(unsigned units) {
  std::vector<bool> script;
  for (unsigned i = 0; i < units; ++i) append(script, {false, true});
  script.push_back(true);
  return script;
}

TEST(BitSource, GathersLeastSignificantBitFirst) {
  ListedBits bits({1, 0, 1, 1, 0, 1});
  EXPECT_EQ(bits.bits(4), 13u);
  EXPECT_FALSE(bits.bit());
  EXPECT_EQ(bits.bits(1), 1u);
  EXPECT_EQ(bits.used(), 6u);
}

TEST(BitSource, GathersAcrossChunks) {
  for (const unsigned chunk : {1u, 7u, 63u, 64u}) {
    SeededBits whole(1), cut(1, chunk);
    for (unsigned count = 1; count <= 64; ++count) {
      std::uint64_t expected = 0;
      for (unsigned i = 0; i < count; ++i) expected |= std::uint64_t{whole.bit()} << i;
      EXPECT_EQ(cut.bits(count), expected) << "chunks of " << chunk << ", " << count << " bits";
    }
  }
}

// An exhausted source ends the draw; it is not replaced by zeros or by a repetition.
TEST(BitSource, LackOfEntropyPassesThroughEverySampler) {
  const auto exhausts = [](auto sample) {
    ListedBits bits({});
    EXPECT_THROW(sample(bits), ListedBits::Exhausted);
  };
  exhausts([](auto& bits) { return noise::below(bits, 2); });
  exhausts([](auto& bits) { return noise::bernoulli<Uint128>(bits, 1, 2); });
  exhausts([](auto& bits) { return noise::bernoulli_exp<Uint128>(bits, 1, 2); });
  exhausts([](auto& bits) { return noise::geometric(bits, {1, 1}); });
  exhausts([](auto& bits) { return noise::DiscreteLaplace{{1, 1}}.sample(bits); });
  exhausts([](auto& bits) { return noise::relax(bits, {1, 2, 1}, 0); });
  exhausts([](auto& bits) { return noise::tighten(bits, {1, 2, 1}, 0); });
  exhausts([](auto& bits) { return noise::Staircase{{1, 1}, 1, 1}.sample(bits); });
  exhausts([](auto& bits) { return noise::DiscreteGaussian::with_variance(1, 0).sample(bits); });
}

TEST(Integers, ArithmeticThrowsInsteadOfWrapping) {
  EXPECT_TRUE(noise::checked_mul(kUint128Max, 1) == kUint128Max);
  EXPECT_TRUE(noise::checked_mul(Uint128{1} << 64, (Uint128{1} << 64) - 1) == Uint128{0} - (Uint128{1} << 64));
  EXPECT_THROW(noise::checked_mul(Uint128{1} << 64, Uint128{1} << 64), std::overflow_error);
  EXPECT_THROW(noise::checked_mul(kUint128Max, 2), std::overflow_error);
  EXPECT_TRUE(noise::checked_add(kUint128Max - 1, 1) == kUint128Max);
  EXPECT_THROW(noise::checked_add(kUint128Max, 1), std::overflow_error);
}

TEST(Integers, SignedMagnitudeStopsAt127Bits) {
  const Uint128 last = noise::kInt128Max;
  EXPECT_TRUE(noise::signed_magnitude(false, last) == noise::kInt128Max);
  EXPECT_TRUE(noise::signed_magnitude(true, last) == -noise::kInt128Max);
  EXPECT_TRUE(noise::signed_magnitude(true, 0) == 0);
  EXPECT_THROW(noise::signed_magnitude(false, last + 1), std::overflow_error);
  EXPECT_THROW(noise::signed_magnitude(true, last + 1), std::overflow_error);
}

TEST(Ratio, IsReduced) {
  const noise::Ratio reduced = noise::ratio(kUint128Max, kUint128Max);
  EXPECT_TRUE(reduced.num == 1 && reduced.den == 1);
  const noise::Ratio third = noise::ratio(14, 42);
  EXPECT_TRUE(third.num == 1 && third.den == 3);
}

TEST(Ratio, ThrowsOutsideItsRange) {
  const Uint128 last = (Uint128{1} << 126) - 1;
  EXPECT_THROW(noise::ratio(1, 0), std::invalid_argument);
  EXPECT_THROW(noise::ratio(0, 0), std::invalid_argument);
  EXPECT_THROW(noise::ratio(0, 7), std::invalid_argument);  // a law with rate zero would divide by it
  EXPECT_NO_THROW(noise::ratio(last, 1));
  EXPECT_NO_THROW(noise::ratio(1, last));
  EXPECT_THROW(noise::ratio(last + 1, 1), std::overflow_error);
  EXPECT_THROW(noise::ratio(1, last + 1), std::overflow_error);
}

TEST(Staircase, StepAndWidthOutOfRangeThrow) {
  SeededBits bits(1);
  const noise::Ratio one{1, 1};
  EXPECT_THROW((noise::Staircase{one, 0, 0}.sample(bits)), std::invalid_argument);
  EXPECT_THROW((noise::Staircase{one, 5, 0}.sample(bits)), std::invalid_argument);
  EXPECT_THROW((noise::Staircase{one, 5, 6}.sample(bits)), std::invalid_argument);
  EXPECT_THROW((noise::Staircase{one, (Uint128{1} << 126) + 1, 1}.sample(bits)), std::invalid_argument);
}

TEST(Below, ZeroHasNoOutcome) {
  SeededBits bits(1);
  EXPECT_THROW(noise::below(bits, 0), std::invalid_argument);
}

TEST(Geometric, ZeroDenominatorThrows) {
  SeededBits bits(1);
  EXPECT_THROW(noise::geometric(bits, {1, 0}), std::invalid_argument);
}

// With den = 2^126 - 1, four units are 2^128 - 4. A wrapped outcome would look like a small one.
TEST(Geometric, ThrowsWhereTheValueLeaves128Bits) {
  const Uint128 den = (Uint128{1} << 126) - 1;
  const auto draw = [den](unsigned rest, unsigned units) {
    std::vector<bool> script = uniform(126, rest);
    if (rest != 0) script.push_back(true);  // e^{-rest/den} succeeds
    append(script, geometric_units(units));
    ListedBits bits(script);
    return noise::geometric(bits, {1, den});
  };
  EXPECT_TRUE(draw(0, 4) == 4 * den);
  EXPECT_TRUE(draw(3, 4) == kUint128Max);
  EXPECT_THROW(draw(4, 4), std::overflow_error);
  EXPECT_THROW(draw(0, 5), std::overflow_error);
}

TEST(DiscreteLaplace, ThrowsWhereTheValueLeaves127Bits) {
  const Uint128 den = (Uint128{1} << 126) - 1;
  const auto draw = [den](bool negative, unsigned units) {
    std::vector<bool> script{negative};
    append(script, uniform(126, 0));
    append(script, geometric_units(units));
    ListedBits bits(script);
    return noise::DiscreteLaplace{{1, den}}.sample(bits);
  };
  EXPECT_TRUE(draw(false, 2) == noise::kInt128Max - 1);
  EXPECT_TRUE(draw(true, 2) == 1 - noise::kInt128Max);
  EXPECT_THROW(draw(false, 3), std::overflow_error);
  EXPECT_THROW(draw(true, 3), std::overflow_error);
}

TEST(Staircase, ThrowsWhereTheValueLeaves127Bits) {
  const auto draw = [](Uint128 width, unsigned width_bits, unsigned stair, unsigned position) {
    std::vector<bool> script{false};
    append(script, geometric_units(stair));
    script.push_back(true);  // within the step, which is all of the stair
    append(script, uniform(width_bits, position));
    ListedBits bits(script);
    return noise::Staircase{{1, 1}, width, width}.sample(bits);
  };
  const Uint128 width = Uint128{1} << 126;
  EXPECT_TRUE(draw(width, 126, 1, 1) == static_cast<Int128>(width + 1));
  EXPECT_THROW(draw(width, 126, 2, 0), std::overflow_error);  // beyond 127 bits
  EXPECT_THROW(draw(width, 126, 4, 0), std::overflow_error);  // stair * width wraps to 0
}

TEST(DiscreteGaussian, VarianceOutsideItsRangeThrows) {
  EXPECT_THROW(noise::DiscreteGaussian::with_variance(0, 0), std::invalid_argument);
  EXPECT_THROW(noise::DiscreteGaussian::with_variance(1, 201), std::invalid_argument);
  EXPECT_THROW(noise::DiscreteGaussian::with_variance(std::uint64_t{1} << 54, 200), std::invalid_argument);
  EXPECT_THROW(noise::DiscreteGaussian::with_variance(~std::uint64_t{0}, 200), std::invalid_argument);
  EXPECT_NO_THROW(noise::DiscreteGaussian::with_variance(std::uint64_t{1} << 39, 200));
  EXPECT_THROW(noise::DiscreteGaussian::with_variance(1, -201), std::invalid_argument);
  EXPECT_NO_THROW(noise::DiscreteGaussian::with_variance(1, 200));
  EXPECT_NO_THROW(noise::DiscreteGaussian::with_variance(1, -200));
}

TEST(DiscreteGaussian, ProposalScaleIsTheFloorOfSigmaPlusOne) {
  struct {
    std::uint64_t mantissa;
    int exponent;
    std::uint64_t scale;
  } const cases[] = {
      {1, -200, 1}, {1, -1, 1}, {1, 0, 2}, {3, 0, 2}, {4, 0, 3}, {17, -1, 3}, {1, 100, (1ull << 50) + 1}};
  for (const auto& [mantissa, exponent, scale] : cases) {
    EXPECT_TRUE(noise::DiscreteGaussian::with_variance(mantissa, exponent).proposal_scale == scale)
        << mantissa << " * 2^" << exponent;
  }
}

}  // namespace
}  // namespace dp::test
