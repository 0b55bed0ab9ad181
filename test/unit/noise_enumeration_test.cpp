// Every sampler of src/noise, enumerated bit by bit on small parameters, all layers real.
//
// The bound given to expect_encloses is the size of the bias that cannot escape. For the samplers that draw many bits
// it is coarse; noise_layers_test.cpp sees those to more digits.
#include <gtest/gtest.h>

#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/geometric.h"
#include "core/noise/primitives.h"
#include "core/noise/relaxation.h"
#include "core/noise/staircase.h"
#include "support/enumeration.h"
#include "support/laws.h"
#include "support/relaxation_law.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::DiscreteGaussian;
using noise::DiscreteLaplace;
using noise::Staircase;
using noise::Uint128;

Real fraction(std::int64_t num, std::int64_t den) { return Real(num) / den; }

TEST(Enumeration, BelowIsUniform) {
  for (std::int64_t m = 1; m <= 16; ++m) {
    SCOPED_TRACE(m);
    const auto seen = enumerate(20, [m](BitSource& bits) { return noise::below(bits, m); });
    expect_encloses(seen, UniformLaw{m}, 0.02);
  }
}

TEST(Enumeration, BelowAPowerOfTwoNeverDrawsTwice) {
  for (unsigned count = 0; count <= 10; ++count) {
    SCOPED_TRACE(count);
    const auto seen = enumerate(count, [count](BitSource& bits) { return noise::below(bits, Uint128{1} << count); });
    expect_encloses(seen, UniformLaw{std::int64_t{1} << count}, 0);
  }
}

TEST(Enumeration, Bernoulli) {
  for (std::uint64_t den = 1; den <= 20; ++den) {
    for (std::uint64_t num = 0; num <= den; ++num) {
      SCOPED_TRACE(testing::Message() << num << '/' << den);
      const auto seen = enumerate(60, [=](BitSource& bits) { return noise::bernoulli<Uint128>(bits, num, den); });
      expect_encloses(seen, BernoulliLaw{fraction(num, den)}, 1e-18);
    }
  }
}

TEST(Enumeration, BernoulliExpUnit) {
  for (std::uint64_t den = 1; den <= 7; ++den) {
    for (std::uint64_t num = 0; num <= den; ++num) {
      SCOPED_TRACE(testing::Message() << num << '/' << den);
      const auto seen =
          enumerate(26, [=](BitSource& bits) { return noise::bernoulli_exp_unit<Uint128>(bits, num, den); });
      expect_encloses(seen, BernoulliLaw{exp(-fraction(num, den))}, 1e-3);
    }
  }
}

TEST(Enumeration, BernoulliExp) {
  const std::uint64_t rates[][2] = {{0, 1}, {2, 1}, {3, 1}, {5, 1}, {3, 2}, {5, 2}, {9, 4}, {7, 3}};
  for (const auto& [num, den] : rates) {
    SCOPED_TRACE(testing::Message() << num << '/' << den);
    const auto seen = enumerate(
        24, [num = num, den = den](BitSource& bits) { return noise::bernoulli_exp<Uint128>(bits, num, den); });
    expect_encloses(seen, BernoulliLaw{exp(-fraction(num, den))}, 5e-3);
  }
}

TEST(Enumeration, BernoulliTwoOverE) {
  const auto seen = enumerate(26, [](BitSource& bits) { return noise::bernoulli_two_over_e(bits); });
  expect_encloses(seen, BernoulliLaw{2 / exp(Real(1))}, 1e-4);
}

TEST(Enumeration, Geometric) {
  const std::uint64_t rates[][2] = {{1, 1}, {2, 1}, {1, 2}, {3, 2}};
  for (const auto& [num, den] : rates) {
    SCOPED_TRACE(testing::Message() << num << '/' << den);
    const auto seen = enumerate(
        22, [num = num, den = den](BitSource& bits) { return noise::geometric(bits, noise::ratio(num, den)); });
    expect_encloses(seen, GeometricLaw(fraction(num, den)), 1e-2);
  }
}

TEST(Enumeration, DiscreteLaplace) {
  const std::uint64_t rates[][2] = {{1, 1}, {2, 1}, {1, 2}};
  for (const auto& [num, den] : rates) {
    SCOPED_TRACE(testing::Message() << num << '/' << den);
    const DiscreteLaplace law{noise::ratio(num, den)};
    const auto seen = enumerate(20, [&law](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, LaplaceLaw(fraction(num, den)), 0.07);
  }
}

TEST(Enumeration, Staircase) {
  const std::uint64_t cases[][4] = {{1, 1, 1, 1}, {1, 1, 2, 1}, {1, 1, 3, 2}, {3, 1, 4, 4}};
  for (const auto& [num, den, width, step] : cases) {
    SCOPED_TRACE(testing::Message() << num << '/' << den << ", width " << width << ", step " << step);
    const Staircase law{noise::ratio(num, den), width, step};
    const auto seen = enumerate(20, [&law](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, StaircaseLaw(fraction(num, den), width, step), 0.08);
  }
}

TEST(Enumeration, DiscreteGaussian) {
  struct {
    std::uint64_t mantissa;
    int exponent;
  } const variances[] = {{1, 0}, {2, 0}, {1, -1}, {1, -2}};
  for (const auto& [mantissa, exponent] : variances) {
    SCOPED_TRACE(testing::Message() << mantissa << " * 2^" << exponent);
    const auto law = DiscreteGaussian::with_variance(mantissa, exponent);
    const auto seen = enumerate(18, [&law](BitSource& bits) { return law.sample(bits); });
    expect_encloses(seen, GaussianLaw(ldexp(Real(mantissa), exponent)), 0.45);
  }
}

TEST(Enumeration, Relax) {
  for (const std::int64_t v1 : {0, 1, -2}) {
    SCOPED_TRACE(v1);
    const auto seen = enumerate(22, [v1](BitSource& bits) { return noise::relax(bits, {1, 2, 1}, v1); });
    expect_encloses(seen, RelaxedLaw(1, 2, v1), 0.03);
  }
}

TEST(Enumeration, Tighten) {
  for (const std::int64_t v2 : {0, -2}) {
    SCOPED_TRACE(v2);
    const auto seen = enumerate(22, [v2](BitSource& bits) { return noise::tighten(bits, {1, 2, 1}, v2); });
    expect_encloses(seen, TightenedLaw{CoarseningLaw(1, 2), v2}, 0.07);
  }
}

}  // namespace
}  // namespace dp::test
