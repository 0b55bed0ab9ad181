// Goodness of fit of Gaussian noise paths: the joint law of two levels. Fixed seeds, bins fixed from the pmf.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/noise/gaussian_path.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/gaussian_path_law.h"

namespace dp::test {
namespace {

using noise::GaussianLevel;
using noise::GaussianStep;
using noise::Int128;

constexpr std::uint64_t kOne = GaussianLevel::kPerUnit;
constexpr std::int64_t kPaths = 200'000;
constexpr std::int64_t kEdge = 40, kSide = 2 * kEdge + 1;

struct Noises {
  Int128 first;
  Int128 second;
};

// `masses(v, z)` of the first and the second noise, cell by cell, and of everything beyond.
template <class Masses, class Draw>
void expect_joint_law(std::uint64_t seed, Masses masses, Draw draw) {
  std::vector<Real> cells;
  Real beyond = 1;
  for (std::int64_t v = -kEdge; v <= kEdge; ++v) {
    for (std::int64_t z = -kEdge; z <= kEdge; ++z) {
      cells.push_back(masses(v, z));
      beyond -= cells.back();
    }
  }
  cells.push_back(beyond > 0 ? beyond : Real(0));
  ChiSquare fit(cells, kPaths);
  ASSERT_GE(fit.size(), 50u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kPaths; ++i) {
    const auto [first, second] = draw(&bits);
    const auto v = static_cast<std::int64_t>(first), z = static_cast<std::int64_t>(second);
    const bool inside = std::max(std::abs(v), std::abs(z)) <= kEdge;
    fit.add(inside ? static_cast<std::size_t>((v + kEdge) * kSide + z + kEdge) : cells.size() - 1);
  }
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

// Of the variances 36 and 16: at change 12 the levels 2 and 3.
TEST(GaussianPathFit, Relax) {
  const auto level = GaussianLevel::with(12, 2 * kOne);
  const GaussianStep step(12, 2 * kOne, 3 * kOne);
  const CentredGaussian first(0, 36);
  std::vector<CentredGaussian> given;
  for (std::int64_t v = -kEdge; v <= kEdge; ++v) given.push_back(relaxed_gaussian(36, 16, v));
  expect_joint_law(
      71, [&](std::int64_t v, std::int64_t z) { return first.mass(v) * given[v + kEdge].mass(z); },
      [&](noise::BitSource* bits) {
        const Int128 v = level.sample(*bits);
        return Noises{v, step.relax(*bits, v)};
      });
}

TEST(GaussianPathFit, Tighten) {
  const auto level = GaussianLevel::with(12, 3 * kOne);
  const GaussianStep step(12, 2 * kOne, 3 * kOne);
  const CentredGaussian first(0, 16), added(0, 20);
  expect_joint_law(
      72, [&](std::int64_t v, std::int64_t z) { return first.mass(v) * added.mass(z - v); },
      [&](noise::BitSource* bits) {
        const Int128 v = level.sample(*bits);
        return Noises{v, step.tighten(*bits, v)};
      });
}

}  // namespace
}  // namespace dp::test
