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

// At a point of the curve, between two, and behind its middle.
TEST(PartitionSelectionFit, WeighedGroupsAreKeptAsOftenAsTheyShould) {
  const auto selection = mechanism::weighted_selection(Epsilon::from(1), Delta::from(1e-3), 16);
  SeededBits bits(42);
  for (std::size_t k = static_cast<std::size_t>(selection.points) - 120;
       k + 1 < static_cast<std::size_t>(selection.points); k += 17) {
    const auto& [from, low] = selection.point[k];
    const auto& [to, high] = selection.point[k + 1];
    for (const int part : {0, 1, 2}) {
      const std::int64_t weights = from + (to - from) * part / 3;
      const Real line =
          ldexp(Real(low), -126) + (ldexp(Real(high), -126) - ldexp(Real(low), -126)) * (weights - from) / (to - from);
      for (const bool turned : {false, true}) {
        const auto p = static_cast<double>(turned ? Real(1 - line) : line);
        std::int64_t kept = 0;
        for (std::int64_t i = 0; i < kDraws / 10; ++i)
          kept += selection.keeps(bits, turned ? 2 * selection.middle() - weights : weights);
        const auto n = static_cast<double>(kDraws / 10);
        EXPECT_LT(std::abs(static_cast<double>(kept) - n * p), normal_critical() * std::sqrt(n * p * (1 - p)))
            << weights;
      }
    }
  }
}

}  // namespace
}  // namespace dp::test
