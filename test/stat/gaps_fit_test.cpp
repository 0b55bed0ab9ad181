// Goodness of fit of quantiles over gaps: draws against the law over all points, one or several at once.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/accumulate/gaps.h"
#include "core/accumulate/quantiles.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/gap_laws.h"

namespace dp::test {
namespace {

using aggregate::Fraction;
using aggregate::PointsInMemory;
using noise::Ratio;

TEST(GapsFit, OneChoice) {
  constexpr std::int64_t kDraws = 200'000;
  const struct {
    Rows rows;
    std::int64_t last;
    noise::Utility rank;
    std::uint64_t unit, parts;
    Ratio rate;
  } cases[] = {
      {{3, 3, 17, 40, 41, 41, 90}, 120, 7, 2, 1, {1, 3}},
      {{3, 3, 17, 40, 41, 41, 90}, 120, 20, 1, 5, {1, 20}},
      {{0, 0, 0, 250}, 300, 2, 1, 1, {5, 1}},
      {{100, 101, 102, 103, 104, 105, 106, 107, 108, 109}, 2000, 11, 2, 1, {1, 1}},
      {{}, 30, 5, 1, 1, {1, 1}},
  };
  std::uint64_t seed = 50;
  for (const auto& [rows, last, rank, unit, parts, rate] : cases) {
    const aggregate::Stretch all{0, rows.size(), 0, last};
    ChiSquare fit(law_of_points(rows, all, rank, unit, parts, rate).masses, kDraws);
    ASSERT_GE(fit.size(), 2u) << "the bins see nothing";
    SeededBits bits(seed++);
    const PointsInMemory sorted(rows);
    for (std::int64_t i = 0; i < kDraws; ++i)
      fit.add(static_cast<std::size_t>(aggregate::choose_by_rank(sorted, all, rank, unit, parts, rate, bits).point));
    EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins of " << rows.size() << " rows";
  }
}

// The joint law of two quantiles: that of quantiles.h by the exponential mechanism over the counts of all points.
TEST(GapsFit, TwoAtOnce) {
  constexpr std::int64_t kDraws = 100'000, kLast = 9;
  const Rows rows{1, 1, 1, 2, 5, 8, 8};
  std::vector<std::uint64_t> counts(kLast + 1);
  for (const std::uint32_t row : rows) ++counts[row];
  const std::vector<Fraction> fractions{Fraction::from(0.3), Fraction::from(0.6)};
  const mechanism::Epsilon epsilon = mechanism::Epsilon::from(2);
  // Every way through the choices among parts of cells, each with its probability; the second choice comes first.
  std::vector<Real> law((kLast + 1) * (kLast + 1));
  SelectionLaw of_first;
  std::size_t parts = 1;
  for (std::size_t first = 0; first < (kLast + 1) * parts; ++first) {
    Real probability = 0;
    SelectionLaw second;
    bool is_first = true;
    const auto points = aggregate::quantile_points(
        counts, fractions, epsilon, 1, [&](std::span<const noise::Utility> utilities, const Ratio& rate) {
          const auto law_of = [&] { return exponential_law({utilities.begin(), utilities.end()}, {}, real(rate)); };
          if (!std::exchange(is_first, false)) {
            second = law_of();
            return std::size_t{0};
          }
          parts = utilities.size() / (kLast + 1);
          if (of_first.masses.empty()) of_first = law_of();
          probability = of_first.masses[first];
          return first;
        });
    for (std::size_t low = 0; low < second.masses.size(); ++low)
      law[low * (kLast + 1) + static_cast<std::size_t>(points[1])] += probability * second.masses[low];
  }
  ChiSquare fit(law, kDraws);
  ASSERT_GE(fit.size(), 20u);
  SeededBits bits(70);
  for (std::int64_t i = 0; i < kDraws; ++i) {
    const auto points = aggregate::quantiles_in_gaps(PointsInMemory(rows), kLast, fractions, epsilon, 1, bits);
    fit.add(static_cast<std::size_t>(points[0] * (kLast + 1) + points[1]));
  }
  EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins";
}

}  // namespace
}  // namespace dp::test
