// Goodness of fit of private group selection: fixed seeds, the noise over its whole range, and how often groups are
// kept.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/mechanism/group_selection.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/partition_law.h"
#include "support/selection_laws.h"

namespace dp::test {
namespace {

using mechanism::Delta;
using mechanism::Epsilon;
using noise::Uint128;

constexpr std::int64_t kDraws = 1'000'000;

TEST(PartitionSelectionFit, Noise) {
  struct {
    noise::Ratio rate;
    std::int64_t bound;
  } const cases[] = {{{1, 10}, 25}, {{1, 100}, 100}, {{1, 100}, 101}, {{7, 3}, 4}, {{1, 1'000'000}, 60}};
  std::uint64_t seed = 31;
  for (const auto& [rate, bound] : cases) {
    const TruncatedLaplaceLaw law(real(rate), bound);
    std::vector<Real> masses;
    for (std::int64_t x = -bound; x <= bound; ++x) masses.push_back(law.mass(x));
    ChiSquare fit(masses, kDraws);
    SeededBits bits(seed++);
    const noise::TruncatedLaplace noise{{rate}, static_cast<Uint128>(bound)};
    for (std::int64_t i = 0; i < kDraws; ++i) fit.add(static_cast<std::size_t>(noise.sample(bits) + bound));
    EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins, bound " << bound;
  }
}

TEST(PartitionSelectionFit, GroupsAreKeptAsOftenAsTheyShould) {
  const Epsilon epsilon = Epsilon::from(0.5);
  const auto selection = mechanism::partition_selection(epsilon, Delta::from(1e-3));
  const auto k = static_cast<std::int64_t>(selection.threshold());
  const TruncatedLaplaceLaw law(Real(1) / 2, k);
  SeededBits bits(41);
  for (std::int64_t units = 1; units <= 2 * k; units += 3) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < kDraws; ++i) kept += selection.keeps(bits, static_cast<Uint128>(units));
    const auto p = static_cast<double>(law.upper(k - units + 1));
    const auto n = static_cast<double>(kDraws);
    EXPECT_LT(std::abs(static_cast<double>(kept) - n * p), normal_critical() * std::sqrt(n * p * (1 - p)))
        << units << " units";
  }
}

// At points of a curve, between two, and behind its middle.
TEST(PartitionSelectionFit, WeighedGroupsAreKeptAsOftenAsTheyShould) {
  mechanism::WeightedSelection selection;
  constexpr Uint128 kCertain = mechanism::WeightedSelection::kCertain;
  selection.points = 3;
  selection.point[0] = {10, kCertain / 64};
  selection.point[1] = {1000, kCertain / 16};
  selection.point[2] = {2001, kCertain / 2};
  const struct {
    std::int64_t weights;
    double chance;
  } places[] = {{1, 1. / 64},   {10, 1. / 64},         {340, 1. / 32},         {1000, 1. / 16},       {1143, 1. / 8},
                {2001, 1. / 2}, {4002 - 1143, 7. / 8}, {4002 - 340, 31. / 32}, {4002 - 10, 63. / 64}, {4002, 63. / 64}};
  SeededBits bits(42);
  for (const auto& [weights, p] : places) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < kDraws; ++i) kept += selection.keeps(bits, weights);
    const auto n = static_cast<double>(kDraws);
    EXPECT_LT(std::abs(static_cast<double>(kept) - n * p), normal_critical() * std::sqrt(n * p * (1 - p))) << weights;
  }
}

}  // namespace
}  // namespace dp::test
