// Goodness of fit of the selection laws: a million draws each, fixed seeds, one bin for each likely candidate.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/noise/selection.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/selection_laws.h"

namespace dp::test {
namespace {

using noise::BitSource;
using noise::Ratio;
using noise::Utility;
using noise::Weight;

constexpr std::int64_t kDraws = 1'000'000;

template <class Select>
void expect_fit(std::uint64_t seed, const SelectionLaw& law, Select select) {
  ChiSquare fit(law.masses, kDraws);
  ASSERT_GE(fit.size(), 2u) << "the bins see nothing";
  SeededBits bits(seed);
  for (std::int64_t i = 0; i < kDraws; ++i) fit.add(select(bits));
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

const std::vector<Utility> kSpread{0, 3, -2, 5, 5, 1, 4, -9, 2, 0};

TEST(SelectionFit, Exponential) {
  for (const Ratio rate : {Ratio{1, 1}, Ratio{1, 10}, Ratio{7, 3}}) {
    expect_fit(21, exponential_law(kSpread, {}, real(rate)),
               [&](BitSource& bits) { return noise::exponential_mechanism(bits, kSpread, rate); });
  }
}

TEST(SelectionFit, PermuteAndFlip) {
  for (const Ratio rate : {Ratio{1, 1}, Ratio{1, 10}, Ratio{7, 3}}) {
    expect_fit(22, permute_and_flip_law(kSpread, real(rate)),
               [&](BitSource& bits) { return noise::permute_and_flip(bits, kSpread, rate); });
  }
}

// Weights against utilities: e^20 is 485,165,195.4, so both candidates of the first case are likely.
TEST(SelectionFit, Weighted) {
  struct {
    std::vector<Utility> utilities;
    std::vector<Weight> weights;
    Ratio rate;
  } const cases[] = {
      {{20, 0}, {1, 485'165'195}, {1, 1}},
      {{0, 10, 20, 30, 40}, {235'385'266'837'019'985, 10'686'474'581'524, 485'165'195, 22'026, 1}, {1, 1}},
      {{3, 1, 2, 0, 0}, {1, 50, 7, 1, 400}, {5, 2}}};
  for (const auto& [utilities, weights, rate] : cases) {
    expect_fit(23, exponential_law(utilities, weights, real(rate)),
               [&](BitSource& bits) { return noise::exponential_mechanism(bits, utilities, weights, rate); });
  }
}

}  // namespace
}  // namespace dp::test
