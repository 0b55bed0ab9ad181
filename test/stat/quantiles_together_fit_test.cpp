// Goodness of fit of quantiles that are chosen at once: draws against the law over all lists of candidates.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/accumulate/gaps.h"
#include "core/accumulate/quantiles_together.h"
#include "support/bits.h"
#include "support/chi_square.h"
#include "support/gap_laws.h"

namespace dp::test {
namespace {

using aggregate::Fraction;
using aggregate::PointsInMemory;

TEST(QuantilesTogetherFit, HaveTheirLaw) {
  constexpr int kDraws = 20'000;
  const struct {
    Rows rows;
    std::int64_t last;
    std::vector<double> fractions;
    std::vector<std::uint64_t> totals;
    std::uint64_t parts;
    noise::Ratio rate;
  } cases[] = {
      {{1, 1, 1, 2, 5, 8, 8}, 9, {0.3, 0.6}, {7}, 1, {1, 1}},
      {{1, 1, 1, 2, 5, 8, 8}, 9, {0.3, 0.6}, {2, 6, 9}, 3, {1, 2}},
      {{0, 3, 3, 3, 3, 4}, 5, {0.1, 0.5, 0.9}, {1, 6, 11}, 2, {2, 3}},
      {{7, 7}, 12, {0, 1}, {1, 3}, 1, {4, 1}},
      {{2, 3}, 4, {0.2, 0.4, 0.6}, {2}, 2, {1, 10}},
      {{}, 9, {0.25, 0.75}, {1, 5}, 2, {3, 2}},
  };
  std::uint64_t seed = 90;
  for (const auto& [rows, last, values, totals, parts, rate] : cases) {
    const auto fractions = fractions_of(values);
    ChiSquare fit(law_together(rows, last, fractions, totals, parts, rate).masses, kDraws);
    ASSERT_GE(fit.size(), 8u) << "the bins see nothing";
    SeededBits bits(seed++);
    const PointsInMemory sorted(rows);
    for (int i = 0; i < kDraws; ++i) {
      std::int64_t place = 0;
      for (const std::int64_t point : aggregate::choose_together(sorted, last, fractions, totals, parts, rate, bits))
        place = place * (last + 1) + point;
      fit.add(static_cast<std::size_t>(place));
    }
    EXPECT_LT(fit.statistic(), fit.critical()) << fit.size() << " bins of " << rows.size() << " rows";
  }
}

double root_of_mean_square(const std::vector<double>& ranks, const std::vector<Fraction>& fractions, std::size_t rows) {
  double sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double q = static_cast<double>(fractions[i % fractions.size()].nano) * 1e-9;
    sum += std::pow(ranks[i] - q * static_cast<double>(rows - 1), 2);
  }
  return std::sqrt(sum / static_cast<double>(ranks.size()));
}

// The goal: nine are at most twice as far off as one. And not less than their law is, by the price of epsilon.
TEST(QuantilesTogetherFit, NineAreOffTwiceAsMuchAsOne) {
  constexpr std::uint32_t kApart = 100;
  Rows rows;
  for (std::uint32_t i = 0; i < 2000; ++i) rows.push_back(1'000'000 + kApart * i);
  const PointsInMemory sorted(rows);
  const auto nine = fractions_of({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  for (const unsigned at_once : {1u, 3u}) {
    const mechanism::Epsilon epsilon = mechanism::Epsilon::from(at_once * 0.5);
    SeededBits bits(80 + at_once);
    std::vector<double> together, alone;
    const auto rank = [&](std::int64_t point) { return (static_cast<double>(point) - 1'000'000) / kApart; };
    for (int i = 0; i < 150; ++i) {
      for (const std::int64_t point : aggregate::quantiles_together(sorted, 400'000'000, nine, epsilon, at_once, bits))
        together.push_back(rank(point));
      for (const Fraction& one : nine)
        alone.push_back(rank(aggregate::quantiles_in_gaps(sorted, 400'000'000, {&one, 1}, epsilon, at_once, bits)[0]));
    }
    const double of_nine = root_of_mean_square(together, nine, rows.size());
    const double of_one = root_of_mean_square(alone, nine, rows.size());
    EXPECT_NEAR(of_nine, 3.827 * 2 * 32 / 31, 0.9);
    EXPECT_NEAR(of_one, 2.076 * 2, 0.5);
    EXPECT_LT(of_nine / of_one, 2.2);
    // The mean of |x| is about three quarters of that.
    EXPECT_NEAR(aggregate::ranks_off_together(nine, epsilon, at_once), of_nine * 0.77, 0.8);
  }
}

}  // namespace
}  // namespace dp::test
