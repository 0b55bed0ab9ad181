// The Gaussian noise path: what its laws lose, enumerated in 50 digits, and what its levels and steps refuse.
#include "core/noise/gaussian_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "core/mechanism/noise_path.h"
#include "support/bits.h"
#include "support/enumeration.h"
#include "support/gaussian_path_law.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::GaussianLevel;
using noise::GaussianStep;
using noise::Int128;
using noise::Uint128;

constexpr std::uint64_t kOne = GaussianLevel::kPerUnit;

// With change 12 these are levels of the variances 36, 16 and 9.
constexpr Uint128 kChange = 12;
constexpr std::uint64_t kTwo = 2 * kOne, kThree = 3 * kOne, kFour = 4 * kOne;

// D_alpha of the noise of both levels, shifted by `change`, and not.
Real divergence_of_levels(const Real& coarse, const Real& fine, std::int64_t change, int alpha) {
  const CentredGaussian first(0, coarse);
  Real sum = 0;
  for (std::int64_t v = -80; v <= 80; ++v) {
    const CentredGaussian here = relaxed_gaussian(coarse, fine, v);
    const CentredGaussian there = relaxed_gaussian(coarse, fine, v - change);
    for (std::int64_t z = -80; z <= 80; ++z) {
      const Real q = first.mass(v - change) * there.mass(z - change);
      if (q > 0) sum += pow(first.mass(v) * here.mass(z), alpha) * pow(q, 1 - alpha);
    }
  }
  return log(sum) / (alpha - 1);
}

// D_alpha of the finer level's answer given the first one, v for one data set and v - change for its neighbour.
Real divergence_of_step(const Real& coarse, const Real& fine, std::int64_t change, std::int64_t v, int alpha) {
  const CentredGaussian here = relaxed_gaussian(coarse, fine, v), there = relaxed_gaussian(coarse, fine, v - change);
  Real sum = 0;
  for (std::int64_t z = -150; z <= 150; ++z) sum += pow(here.mass(z), alpha) * pow(there.mass(z - change), 1 - alpha);
  return log(sum) / (alpha - 1);
}

const Real kNothing("1e-20");

TEST(GaussianPath, BothLevelsLoseWhatTheFinerOneDoes) {
  for (const int alpha : {2, 4}) {
    const Real lost = divergence_of_levels(16, 9, 4, alpha), bound = Real(alpha) * 16 / 18;
    EXPECT_LT(abs(lost - bound), kNothing) << alpha;
  }
}

TEST(GaussianPath, AStepLosesTheDifferenceWhateverWasSeen) {
  for (const std::int64_t v : {-30, -3, 0, 1, 7, 25}) {
    const Real lost = divergence_of_step(16, 9, 4, v, 4), bound = Real(4) * 16 / 2 * (Real(1) / 9 - Real(1) / 16);
    EXPECT_LT(abs(lost - bound), Real("1e-17")) << v;
  }
}

// Below the least variance of a step they lose more: the bound is there for a reason.
TEST(GaussianPath, ALatticeThatIsTooCoarseShowsMore) {
  const Real bound = Real(4) / 2 * (1 / Real("0.3") - 1 / Real("0.8"));
  Real most = 0;
  for (std::int64_t v = -4; v <= 4; ++v) most = std::max(most, divergence_of_step(Real("0.8"), Real("0.3"), 1, v, 4));
  EXPECT_GT(most, bound + Real("0.05"));
  EXPECT_TRUE(GaussianStep::is_possible(kChange, kTwo, kThree)) << "variance 16 (1 - 4/9)";
  EXPECT_FALSE(GaussianStep::is_possible(kChange, kThree, kFour)) << "variance 9 (1 - 9/16) is below 4";
  EXPECT_FALSE(GaussianStep::is_possible(kChange, kThree, kThree));
  EXPECT_FALSE(GaussianStep::is_possible(kChange, kThree, kTwo));
  EXPECT_THROW(GaussianStep(kChange, kThree, kFour), std::invalid_argument);
}

// Of each level drawn after the other the noise has the variance of its epsilon.
TEST(GaussianPath, HasTheVarianceOfItsEpsilon) {
  EXPECT_DOUBLE_EQ(GaussianLevel::with(kChange, kTwo).sigma(), 6);
  EXPECT_DOUBLE_EQ(GaussianLevel::with(kChange, kFour).sigma(), 3);
  EXPECT_EQ(GaussianLevel::with(kChange, kFour).proposal_scale, Uint128{4});
  EXPECT_DOUBLE_EQ(GaussianLevel::with(1, kOne / 10).sigma(), 10);
}

TEST(GaussianPath, RefusesWhatItCannotHold) {
  for (const Uint128 change : {Uint128{0}, Uint128{1} << 100})
    EXPECT_THROW(GaussianLevel::with(change, kOne), std::invalid_argument);
  for (const std::uint64_t epsilon : {std::uint64_t{0}, std::uint64_t{1} << 50})
    EXPECT_THROW(GaussianLevel::with(1, epsilon), std::invalid_argument);
  EXPECT_THROW(GaussianLevel::with(Uint128{1} << 99, 1), std::invalid_argument) << "sigma beyond 2^120";
}

// The largest numbers that levels may have: all integers of a draw stay within their 1024 bits.
TEST(GaussianPath, TheEndsOfTheRangeAreDrawn) {
  SeededBits bits(3);
  constexpr Uint128 kLargest = (Uint128{1} << 100) - 1;
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 50) - 1;
  for (const std::uint64_t epsilon : {std::uint64_t{1'000'000}, kOne, kMost - 1}) {
    const Int128 noise = GaussianLevel::with(kLargest, epsilon).sample(bits);
    const GaussianStep step(kLargest, epsilon, kMost);
    EXPECT_NE(step.relax(bits, noise), noise);
    EXPECT_NE(step.tighten(bits, noise), noise);
  }
}

TEST(GaussianPath, Enumerated) {
  constexpr std::uint64_t kCases[][2] = {{1, kOne}, {3, kTwo}, {1, kTwo}};
  for (const auto& [change, epsilon] : kCases) {
    const auto law = GaussianLevel::with(change, epsilon);
    const auto seen = enumerate(18, [&law](BitSource& bits) { return law.sample(bits); });
    const Real sigma = Real(static_cast<int>(change)) * kOne / epsilon;
    expect_encloses(seen, GaussianLaw(sigma * sigma), 0.45);
  }
}

// ---- paths ---------------------------------------------------------------------------------------------------------

using mechanism::Epsilon;
using mechanism::NoisePath;
using mechanism::PathMove;

mechanism::Calibration calibrated(const char* name, const mechanism::Changes& changes, mechanism::Lattice lattice) {
  return mechanism::calibrate(mechanism::parse(name), {kOne}, changes, lattice);
}

TEST(NoisePath, IsThatOfTheLaw) {
  const mechanism::Changes changes{2, 7, 5, 4};
  const auto path = [&](const char* name) {
    return NoisePath::of(calibrated(name, changes, mechanism::Lattice::fine).law, {kOne}, changes);
  };
  EXPECT_EQ(path("laplace").kind(), NoisePath::Kind::laplace);
  EXPECT_EQ(path("laplace").change(), Uint128{7});
  EXPECT_EQ(path("gaussian").kind(), NoisePath::Kind::gaussian);
  EXPECT_EQ(path("gaussian").change(), Uint128{5});
  EXPECT_FALSE(path("gaussian(delta=1e-6)").exists());
  const auto one = mechanism::Changes::one(7);  // of several numbers it may be as Laplace noise
  EXPECT_FALSE(NoisePath::of(calibrated("staircase", one, mechanism::Lattice::fine).law, {kOne}, one).exists());
  EXPECT_EQ(path("gaussian").kind(), NoisePath::stored(path("gaussian").number()).kind());
  EXPECT_EQ(path("gaussian"), NoisePath::stored(path("gaussian").number()));
  EXPECT_EQ(path("laplace"), NoisePath::stored(7)) << "as ledgers of 0.1 have it";
  EXPECT_NE(path("laplace"), path("gaussian"));
}

TEST(NoisePath, ItsLawAtALevelIsWhatIsCalibratedThere) {
  const mechanism::Changes changes{1, 3, 3, 3};
  const auto coarse = calibrated("gaussian", changes, mechanism::Lattice::integer);
  const auto refined = changes.times(Uint128{1} << coarse.refinement);
  const NoisePath path = NoisePath::of(coarse.law, {kOne}, refined);
  const auto fine = mechanism::calibrate(mechanism::parse("gaussian"), {kFour}, changes, mechanism::Lattice::integer);
  EXPECT_EQ(std::get<GaussianLevel>(path.law({kFour})).epsilon, std::get<GaussianLevel>(fine.law).epsilon);
  EXPECT_EQ(std::get<GaussianLevel>(path.law({kFour})).change, std::get<GaussianLevel>(fine.law).change);
  EXPECT_EQ(coarse.refinement, fine.refinement);
  EXPECT_GE(coarse.refinement, 30u) << "else steps would be too coarse";
  EXPECT_NO_THROW(PathMove(path, {999'999'999'999}, {1'000'000'000'000})) << "the largest that can be charged";
}

TEST(NoisePath, MovesAsItsStepsDo) {
  const NoisePath path = NoisePath::of(GaussianLevel::with(kChange, kTwo), {kTwo}, {});
  SeededBits here(5), there(5);
  EXPECT_EQ(PathMove(path, {kTwo}, {kThree}).draw(here, 9), GaussianStep(kChange, kTwo, kThree).relax(there, 9));
  EXPECT_EQ(PathMove(path, {kThree}, {kTwo}).draw(here, 9), GaussianStep(kChange, kTwo, kThree).tighten(there, 9));
  const NoisePath laplace = NoisePath::stored(12);
  EXPECT_EQ(PathMove(laplace, {kTwo}, {kThree}).draw(here, 9), noise::relax(there, {kTwo, kThree, 12 * kOne}, 9));
  EXPECT_EQ(PathMove(laplace, {kThree}, {kTwo}).draw(here, 9), noise::tighten(there, {kTwo, kThree, 12 * kOne}, 9));
  EXPECT_THROW(PathMove(path, {kThree}, {kFour}), Error);
}

}  // namespace
}  // namespace dp::test
