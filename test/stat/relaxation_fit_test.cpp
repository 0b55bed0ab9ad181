// Goodness of fit of noise paths: the joint law of levels, which is where a wrong step shows. A million paths each,
// fixed seeds, bins fixed from the pmf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/noise/discrete_laplace.h"
#include "core/noise/relaxation.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/relaxation_law.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::DiscreteLaplace;
using noise::Int128;
using noise::RatePair;
using noise::ratio;
using noise::relax;
using noise::tighten;
using noise::Uint128;

constexpr std::int64_t kPaths = 1'000'000;

using Levels = std::pair<std::int64_t, std::int64_t>;  // the noise of a coarser and of a finer level

Levels levels(Int128 coarse, Int128 fine) {
  return {static_cast<std::int64_t>(coarse), static_cast<std::int64_t>(fine)};
}

Real rate(Uint128 num, Uint128 den) { return Real(static_cast<std::int64_t>(num)) / static_cast<std::int64_t>(den); }

Int128 laplace(BitSource& bits, Uint128 num, Uint128 den) { return DiscreteLaplace{ratio(num, den)}.sample(bits); }

// `path(bits)` against the joint law of two levels, cell by cell of |V_1|, |V_2| <= 40 and everything beyond.
template <class Path>
void expect_joint_law(std::uint64_t seed, const RatePair& rates, Path path) {
  constexpr std::int64_t kEdge = 40, kSide = 2 * kEdge + 1;
  const Real coarse = rate(rates.coarse, rates.den), fine = rate(rates.fine, rates.den);
  const LaplaceLaw law(fine);
  const CoarseningLaw w(coarse, fine);
  std::vector<Real> cells;
  Real beyond = 1;
  for (std::int64_t v1 = -kEdge; v1 <= kEdge; ++v1) {
    for (std::int64_t v2 = -kEdge; v2 <= kEdge; ++v2) {
      cells.push_back(law.mass(v2) * w.mass(v1 - v2));
      beyond -= cells.back();
    }
  }
  cells.push_back(beyond);
  ChiSquare fit(cells, kPaths);
  ASSERT_GE(fit.size(), 50u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kPaths; ++i) {
    const auto [v1, v2] = path(bits);
    const bool inside = std::max(std::abs(v1), std::abs(v2)) <= kEdge;
    fit.add(inside ? static_cast<std::size_t>((v1 + kEdge) * kSide + v2 + kEdge) : cells.size() - 1);
  }
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

constexpr RatePair kRates[] = {{1, 2, 2}, {1, 3, 1}, {9, 10, 7}};

TEST(PathFit, Relax) {
  for (const RatePair& rates : kRates) {
    expect_joint_law(61, rates, [&rates](BitSource& bits) {
      const Int128 v1 = laplace(bits, rates.coarse, rates.den);
      return levels(v1, relax(bits, rates, v1));
    });
  }
}

TEST(PathFit, Tighten) {
  for (const RatePair& rates : kRates) {
    expect_joint_law(62, rates, [&rates](BitSource& bits) {
      const Int128 v2 = laplace(bits, rates.fine, rates.den);
      return levels(tighten(bits, rates, v2), v2);
    });
  }
}

// Four levels in three steps: the ends are joined as by one step.
TEST(PathFit, ChainIsTheDirectJump) {
  expect_joint_law(63, {1, 4, 3}, [](BitSource& bits) {
    const Int128 v1 = laplace(bits, 1, 3);
    const Int128 v2 = relax(bits, {1, 2, 3}, v1);
    const Int128 v3 = relax(bits, {4, 5, 6}, v2);
    return levels(v1, relax(bits, {5, 8, 6}, v3));
  });
  expect_joint_law(64, {1, 4, 3}, [](BitSource& bits) {
    const Int128 v4 = laplace(bits, 4, 3);
    const Int128 v3 = tighten(bits, {5, 8, 6}, v4);
    const Int128 v2 = tighten(bits, {4, 5, 6}, v3);
    return levels(tighten(bits, {1, 2, 3}, v2), v4);
  });
}

// A path that began in the middle and grew to both sides.
TEST(PathFit, BothWaysFromTheMiddle) {
  expect_joint_law(65, {1, 4, 3}, [](BitSource& bits) {
    const Int128 v2 = laplace(bits, 2, 3);
    const Int128 v1 = tighten(bits, {1, 2, 3}, v2);
    return levels(v1, relax(bits, {2, 4, 3}, v2));
  });
}

// `sample(bits)` against `law` over `cells`.
template <class Law, class Sample>
void expect_fit(std::uint64_t seed, const Law& law, const Cells& cells, Sample sample) {
  ChiSquare fit(cells.probabilities(law), kPaths);
  ASSERT_GE(fit.size(), 5u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kPaths; ++i) fit.add(cells.of(static_cast<std::int64_t>(sample(bits))));
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

// Levels of noise that are drawn seldom, of either sign.
TEST(PathFit, RelaxFromAGivenLevel) {
  for (const std::int64_t v1 : {0, -1, 3, -25}) {
    SCOPED_TRACE(v1);
    const RelaxationBranches law(rate(2, 7), rate(3, 7), v1);
    expect_fit(66, law, Cells::spaced(-60, 1, 121), [v1](BitSource& bits) { return relax(bits, {2, 3, 7}, v1); });
  }
}

// A fine grid: epsilon = 0.123456789 and 0.987654321 over D = 2^32. A bin is a range of integers, but the noise stays
// where it was, or is changed by nothing, in a bin of its own.
class FinePath : public testing::Test {
 protected:
  static constexpr std::int64_t kStep = std::int64_t{1} << 30;

  const RatePair rates_{123456789, 987654321, Uint128{1'000'000'000} << 32};
  const Real coarse_ = Real(123456789) / 1'000'000'000 / 4294967296;
  const Real fine_ = Real(987654321) / 1'000'000'000 / 4294967296;
};

TEST_F(FinePath, RelaxFromAGivenLevel) {
  for (const std::int64_t v1 : {std::int64_t{0}, std::int64_t{5'000'000'000}, -(std::int64_t{1} << 35)}) {
    SCOPED_TRACE(v1);
    std::vector<std::int64_t> edges{v1, v1 + 1};
    for (std::int64_t i = -64; i < 64; ++i) edges.push_back(i * kStep + 7);
    std::sort(edges.begin(), edges.end());
    expect_fit(67, RelaxationBranches(coarse_, fine_, v1), Cells(edges),
               [this, v1](BitSource& bits) { return relax(bits, rates_, v1); });
  }
}

// V_2 and V_1 - V_2 are independent, whichever is drawn first.
template <class Path>
void expect_independence(std::uint64_t seed, const Real& coarse, const Real& fine, std::int64_t step, Path path) {
  const Cells levels_of_v2 = Cells::spaced(-16 * step, step, 33);
  std::vector<std::int64_t> edges{0, 1};
  for (std::int64_t i = -32; i <= 32; ++i) {
    if (i != 0) edges.push_back(i * 4 * step);
  }
  std::sort(edges.begin(), edges.end());
  const Cells levels_of_w(edges);
  const std::vector<Real> v2 = levels_of_v2.probabilities(LaplaceLaw(fine));
  const std::vector<Real> w = levels_of_w.probabilities(CoarseningLaw(coarse, fine));
  std::vector<Real> cells;
  for (const Real& p : v2) {
    for (const Real& q : w) cells.push_back(p * q);
  }
  ChiSquare fit(cells, kPaths);
  ASSERT_GE(fit.size(), 500u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kPaths; ++i) {
    const Levels drawn = path(bits);
    fit.add(levels_of_v2.of(drawn.second) * w.size() + levels_of_w.of(drawn.first - drawn.second));
  }
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

TEST_F(FinePath, RelaxJointly) {
  expect_independence(68, coarse_, fine_, kStep, [this](BitSource& bits) {
    const Int128 v1 = laplace(bits, rates_.coarse, rates_.den);
    return levels(v1, relax(bits, rates_, v1));
  });
}

TEST_F(FinePath, TightenJointly) {
  expect_independence(69, coarse_, fine_, kStep, [this](BitSource& bits) {
    const Int128 v2 = laplace(bits, rates_.fine, rates_.den);
    return levels(tighten(bits, rates_, v2), v2);
  });
}

// What happens inside the ranges: the residues of a moved level.
TEST_F(FinePath, ResiduesAcrossZero) {
  std::vector<Real> residues;
  for (int r = 0; r < 16; ++r) residues.push_back(GeometricLaw(coarse_ + fine_).residue(r, 16));
  ChiSquare fit(residues, kPaths);
  SeededBits bits(70);
  for (std::int64_t i = 0; i < kPaths;) {
    const Int128 v2 = relax(bits, rates_, 1'000'000'007);
    if (v2 >= 0) continue;
    fit.add(static_cast<std::size_t>((-v2 - 1) % 16));
    ++i;
  }
  EXPECT_LT(fit.statistic(), fit.critical());
}

}  // namespace
}  // namespace dp::test
