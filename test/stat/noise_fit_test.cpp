// Goodness of fit of every law: a million draws each, fixed seeds, bins fixed from the pmf.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/noise/discrete_gaussian.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/geometric.h"
#include "core/noise/staircase.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/laws.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::DiscreteGaussian;
using noise::DiscreteLaplace;
using noise::ratio;
using noise::Staircase;

constexpr std::int64_t kDraws = 1'000'000;

// `sample(bits)` against `law` over `cells`.
template <class Law, class Sample>
void expect_fit(std::uint64_t seed, const Law& law, const Cells& cells, Sample sample) {
  ChiSquare fit(cells.probabilities(law), kDraws);
  ASSERT_GE(fit.size(), 3u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kDraws; ++i) fit.add(cells.of(static_cast<std::int64_t>(sample(bits))));
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

// The mean of kDraws values of `value(bits)` against its expectation and the standard deviation of one value.
template <class Value>
void expect_mean(std::uint64_t seed, const Real& mean, const Real& deviation, Value value) {
  SeededBits bits(seed);
  long double sum = 0;
  for (std::int64_t i = 0; i < kDraws; ++i) sum += static_cast<long double>(value(bits));
  const double gap = static_cast<double>(Real(sum / kDraws) - mean);
  const double allowed = normal_critical() * static_cast<double>(deviation) / std::sqrt(static_cast<double>(kDraws));
  EXPECT_LT(std::abs(gap), allowed) << "expected " << mean;
}

TEST(Fit, Geometric) {
  for (const auto& [num, den] : {std::pair{1, 1}, {5, 2}, {1, 7}, {3, 100}}) {
    SCOPED_TRACE(testing::Message() << num << '/' << den);
    const auto rate = ratio(num, den);
    expect_fit(1, GeometricLaw(Real(num) / den), Cells::spaced(0, 1, 600),
               [&rate](BitSource& bits) { return noise::geometric(bits, rate); });
  }
}

TEST(Fit, DiscreteLaplace) {
  for (const auto& [num, den] : {std::pair{1, 1}, {3, 1}, {1, 10}, {2, 61}}) {
    SCOPED_TRACE(testing::Message() << num << '/' << den);
    const DiscreteLaplace law{ratio(num, den)};
    expect_fit(2, LaplaceLaw(Real(num) / den), Cells::spaced(-400, 1, 801),
               [&law](BitSource& bits) { return law.sample(bits); });
  }
}

TEST(Fit, Staircase) {
  struct {
    int num, den, width, step;
  } const cases[] = {{1, 1, 1, 1}, {1, 2, 5, 2}, {2, 1, 7, 1}, {5, 1, 20, 2}, {7, 3, 20, 20}};
  for (const auto& [num, den, width, step] : cases) {
    SCOPED_TRACE(testing::Message() << num << '/' << den << ", width " << width << ", step " << step);
    const Staircase law{ratio(num, den), static_cast<noise::Uint128>(width), static_cast<noise::Uint128>(step)};
    expect_fit(3, StaircaseLaw(Real(num) / den, width, step), Cells::spaced(-200, 1, 401),
               [&law](BitSource& bits) { return law.sample(bits); });
  }
}

TEST(Fit, DiscreteGaussian) {
  struct {
    std::uint64_t mantissa;
    int exponent;
  } const variances[] = {{1, -2}, {5, -1}, {100, 0}};
  for (const auto& [mantissa, exponent] : variances) {
    SCOPED_TRACE(testing::Message() << mantissa << " * 2^" << exponent);
    const auto law = DiscreteGaussian::with_variance(mantissa, exponent);
    expect_fit(4, GaussianLaw(ldexp(Real(mantissa), exponent)), Cells::spaced(-60, 1, 121),
               [&law](BitSource& bits) { return law.sample(bits); });
  }
}

// A fine grid: epsilon = 0.123456789 over D = 2^32. A bin is a range of 2^28 integers; what happens inside the ranges
// is seen by the residues modulo 16 and by the mean magnitude.
class FineLaplace : public testing::Test {
 protected:
  const DiscreteLaplace noise_{ratio(123456789, noise::Uint128{1'000'000'000} << 32)};
  const Real rate_ = Real(123456789) / 1'000'000'000 / 4294967296;
  const LaplaceLaw law_{rate_};
};

TEST_F(FineLaplace, Ranges) {
  expect_fit(5, law_, Cells::spaced(-(std::int64_t{1} << 39), std::int64_t{1} << 28, 4096),
             [this](BitSource& bits) { return noise_.sample(bits); });
}

TEST_F(FineLaplace, Residues) {
  std::vector<Real> residues;
  for (int r = 0; r < 16; ++r) residues.push_back(GeometricLaw(rate_).residue(r, 16));
  ChiSquare fit(residues, kDraws);
  SeededBits bits(6);
  for (std::int64_t i = 0; i < kDraws; ++i) fit.add(static_cast<std::size_t>(noise::geometric(bits, noise_.rate) % 16));
  EXPECT_LT(fit.statistic(), fit.critical());
}

TEST_F(FineLaplace, MeanAndMeanMagnitude) {
  const Real square = law_.mean_square();
  const Real magnitude = law_.mean_magnitude();
  expect_mean(7, 0, sqrt(square), [this](BitSource& bits) { return noise_.sample(bits); });
  expect_mean(8, magnitude, sqrt(square - magnitude * magnitude), [this](BitSource& bits) {
    const noise::Int128 x = noise_.sample(bits);
    return x < 0 ? -x : x;
  });
}

// With sigma = 2^20 the discrete law's cells are the normal law's up to a relative 1/sigma^2, far below what a million
// draws resolve.
struct NormalLaw {
  Real sigma;

  Real below(std::int64_t x) const {
    return std::erfc((0.5 - static_cast<double>(x)) / (std::numbers::sqrt2 * static_cast<double>(sigma))) / 2;
  }
};

TEST(FineGaussian, Ranges) {
  const auto law = DiscreteGaussian::with_variance(1, 40);
  expect_fit(9, NormalLaw{ldexp(Real(1), 20)}, Cells::spaced(-6 << 20, 1 << 15, 385),
             [&law](BitSource& bits) { return law.sample(bits); });
}

// The noise depends on the bits alone: on two neighbouring true values the same bits give the same noise and are used
// up equally. Otherwise the time or the state of the generator would tell the values apart.
TEST(Replay, NeighboursDrawTheSameNoiseFromTheSameBits) {
  const auto expect_same = [](auto law) {
    constexpr noise::Int128 kTrueValue = 1'000'000, kNeighbour = kTrueValue + 1;
    SeededBits bits(10, 1), again(10, 1);
    for (int i = 0; i < 10'000; ++i) {
      const noise::Int128 released = kTrueValue + law.sample(bits);
      const noise::Int128 released_on_neighbour = kNeighbour + law.sample(again);
      ASSERT_TRUE(released_on_neighbour - released == 1);
      ASSERT_EQ(bits.used(), again.used());
    }
  };
  expect_same(DiscreteLaplace{ratio(1, 10)});
  expect_same(Staircase{ratio(1, 2), 5, 2});
  expect_same(DiscreteGaussian::with_variance(5, 0));
}

}  // namespace
}  // namespace dp::test
