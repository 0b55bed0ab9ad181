// Goodness of fit of mixtures of discrete Laplaces: a million draws each, fixed seeds, bins fixed from the pmf.
#include <gtest/gtest.h>

#include <cstdint>

#include "core/mechanism/r2dp/mixture_certificate.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/mixture_law.h"

namespace dp::test {
namespace {

using noise::LaplaceMixture;

void expect_fit(std::uint64_t seed, const LaplaceMixture& law, const Cells& cells) {
  constexpr std::int64_t kDraws = 1'000'000;
  ChiSquare fit(cells.probabilities(MixtureLaw(law)), kDraws);
  ASSERT_GE(fit.size(), 20u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kDraws; ++i) fit.add(cells.of(static_cast<std::int64_t>(law.sample(bits))));
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

// As certified for epsilon 5, sensitivity 20 and P(|noise| <= 2).
TEST(LaplaceMixtureFit, TwoAtoms) {
  const mechanism::MixtureProblem problem{5, mechanism::MixtureProblem::Metric::usefulness, 2.5 / 20, 20};
  const auto law = mechanism::certified_mixture(optimal_mixture(problem), noise::ratio(5, 1), 20);
  ASSERT_TRUE(law.has_value() && law->count == 2);
  expect_fit(21, *law, Cells::spaced(-100, 1, 201));
}

TEST(LaplaceMixtureFit, ManyAtoms) {
  LaplaceMixture law{0, 20, {}};
  for (unsigned i = 0; i < law.count; ++i) {
    law.atoms[i] = {i + 1, noise::ratio(i + 1, 31)};
    law.total += i + 1;
  }
  expect_fit(22, law, Cells::spaced(-100, 1, 201));
}

// A fine lattice: ranges of 2^24 integers.
TEST(LaplaceMixtureFit, FineSteps) {
  const mechanism::MixtureProblem problem{5, mechanism::MixtureProblem::Metric::l1, 0, 0x1p32};
  const auto law = mechanism::certified_mixture(optimal_mixture(problem), noise::ratio(5, 1), noise::Uint128{1} << 32);
  ASSERT_TRUE(law.has_value() && law->count == 2);
  expect_fit(23, *law, Cells::spaced(-(std::int64_t{1} << 34), std::int64_t{1} << 24, 2049));
}

}  // namespace
}  // namespace dp::test
