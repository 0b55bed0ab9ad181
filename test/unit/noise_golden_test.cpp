// The samplers against the vectors of tools/golden/samplers.py, an implementation of its own on Python's fractions.
//
// Every outcome must agree and, which pins the course of the draw too, the number of bits used. The parameters are
// chosen ugly: denominators 2^61 and large primes, rates of fine grids, variances from 2^-200 to 2^204.
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/geometric.h"
#include "core/noise/primitives.h"
#include "core/noise/relaxation.h"
#include "core/noise/staircase.h"
#include "support/bits.h"
#include "support/decimal.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::ratio;
using noise::Uint128;

// Without constructors, which would take long to build.
struct Golden {
  std::string_view sampler;
  std::uint64_t seed;
  std::uint64_t bits_used;
  std::string_view outcomes;
  std::string (*draw)(BitSource&);
};

// One macro per kind of row in golden_samplers.inc.
#define GOLDEN_CALL(sampler, call, seed, used, outcomes) \
  {sampler, seed, used, outcomes, [](BitSource& bits) -> std::string { return decimal(call); }},
#define GOLDEN_BELOW(m, ...) GOLDEN_CALL("below " m, noise::below(bits, from_decimal(m)), __VA_ARGS__)
#define GOLDEN_BERNOULLI(num, den, ...) \
  GOLDEN_CALL("bernoulli " num "/" den, noise::bernoulli(bits, from_decimal(num), from_decimal(den)), __VA_ARGS__)
#define GOLDEN_BERNOULLI_EXP(num, den, ...)                                                                   \
  GOLDEN_CALL("bernoulli_exp " num "/" den, noise::bernoulli_exp(bits, from_decimal(num), from_decimal(den)), \
              __VA_ARGS__)
#define GOLDEN_GEOMETRIC(num, den, ...)                                                                      \
  GOLDEN_CALL("geometric " num "/" den, noise::geometric(bits, ratio(from_decimal(num), from_decimal(den))), \
              __VA_ARGS__)
#define GOLDEN_LAPLACE(num, den, ...)          \
  GOLDEN_CALL("discrete Laplace " num "/" den, \
              noise::DiscreteLaplace{ratio(from_decimal(num), from_decimal(den))}.sample(bits), __VA_ARGS__)
#define GOLDEN_STAIRCASE(num, den, width, step, ...)                                                                  \
  GOLDEN_CALL(                                                                                                        \
      "staircase " num "/" den " " width " " step,                                                                    \
      (noise::Staircase{ratio(from_decimal(num), from_decimal(den)), from_decimal(width), from_decimal(step)}.sample( \
          bits)),                                                                                                     \
      __VA_ARGS__)
#define GOLDEN_GAUSSIAN(mantissa, exponent, ...)                                                                   \
  GOLDEN_CALL("discrete Gaussian " mantissa "*2^" #exponent,                                                       \
              noise::DiscreteGaussian::with_variance(static_cast<std::uint64_t>(from_decimal(mantissa)), exponent) \
                  .sample(bits),                                                                                   \
              __VA_ARGS__)
#define GOLDEN_PATH(sampler, coarse, fine, den, value, ...)                                                            \
  GOLDEN_CALL(                                                                                                         \
      #sampler " " coarse " " fine " over " den " from " value,                                                        \
      noise::sampler(bits, {from_decimal(coarse), from_decimal(fine), from_decimal(den)}, from_signed_decimal(value)), \
      __VA_ARGS__)
#define GOLDEN_RELAX(...) GOLDEN_PATH(relax, __VA_ARGS__)
#define GOLDEN_TIGHTEN(...) GOLDEN_PATH(tighten, __VA_ARGS__)

const Golden kRows[] = {
#include "golden_samplers.inc"
};

std::string replay(const Golden& row, BitSource& bits) {
  std::string outcomes = row.draw(bits);
  while (outcomes.size() < row.outcomes.size()) outcomes += ' ' + row.draw(bits);
  return outcomes;
}

TEST(Golden, OutcomesAndBitsAgree) {
  ASSERT_GE(std::size(kRows), 130u);
  for (const Golden& row : kRows) {
    SeededBits bits(row.seed, 1);
    EXPECT_EQ(replay(row, bits), row.outcomes) << row.sampler;
    EXPECT_EQ(bits.used(), row.bits_used) << row.sampler;
  }
}

// However the source cuts its stream into chunks, the draw is the same.
TEST(Golden, ChunksDoNotMatter) {
  for (const Golden& row : kRows) {
    for (const unsigned chunk : {7u, 33u, 64u}) {
      SeededBits bits(row.seed, chunk);
      EXPECT_EQ(replay(row, bits), row.outcomes) << row.sampler << ", chunks of " << chunk;
    }
  }
}

}  // namespace
}  // namespace dp::test
