// Several quantiles: what they lose, over all outcomes of all choices, and where they lie.
#include "core/accumulate/quantiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/mechanism/candidate_selection.h"
#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

using noise::Ratio;
using noise::Utility;
using Counts = std::vector<std::uint64_t>;
using Points = std::vector<std::int64_t>;

std::vector<Fraction> fractions_of(const std::vector<double>& values) {
  std::vector<Fraction> fractions;
  for (const double value : values) fractions.push_back(Fraction::from(value));
  return fractions;
}

std::vector<double> exponential_law(std::span<const Utility> utilities, const Ratio& rate) {
  const Utility best = *std::max_element(utilities.begin(), utilities.end());
  const double unit = static_cast<double>(rate.num) / static_cast<double>(rate.den);
  std::vector<double> law;
  double total = 0;
  for (const Utility utility : utilities) law.push_back(std::exp(-unit * static_cast<double>(best - utility)));
  for (const double weight : law) total += weight;
  for (double& weight : law) weight /= total;
  return law;
}

// The law of the answers, by the exponential mechanism: every way through the choices, each with its probability. Parts
// of one cell are different ways with the same answer.
class Outcomes {
 public:
  Outcomes(const Counts& counts, const std::vector<Fraction>& fractions, mechanism::Epsilon epsilon,
           noise::Uint128 rows) {
    // As a counter whose digits are the choices.
    std::vector<std::size_t> path;
    std::vector<std::size_t> sizes;
    do {
      std::size_t depth = 0;
      double probability = 1;
      sizes.clear();
      const Choose follow = [&](std::span<const Utility> utilities, const Ratio& rate) {
        if (depth == path.size()) path.push_back(0);
        sizes.push_back(utilities.size());
        probability *= exponential_law(utilities, rate)[path[depth]];
        return path[depth++];
      };
      const Points points = quantile_points(counts, fractions, epsilon, rows, follow);
      law_[points] += probability;
      path.resize(depth);
      while (!path.empty() && ++path.back() == sizes[path.size() - 1]) path.pop_back();
    } while (!path.empty());
  }

  const std::map<Points, double>& law() const { return law_; }

 private:
  std::map<Points, double> law_;
};

double worst_ratio(const std::map<Points, double>& p, const std::map<Points, double>& q) {
  double worst = 0;
  for (const auto& [points, probability] : p) worst = std::max(worst, std::fabs(std::log(probability / q.at(points))));
  return worst;
}

constexpr mechanism::Epsilon kOne{1'000'000'000};

// One row more anywhere: the first choice is among 256 parts of each of two cells.
TEST(Quantiles, LoseAtMostEpsilon) {
  const auto fractions = fractions_of({0.3, 0.6});
  for (const Counts& counts : {Counts{0, 0}, Counts{1, 0}, Counts{2, 1}, Counts{3, 3}, Counts{0, 5}}) {
    const Outcomes before(counts, fractions, kOne, 1);
    double total = 0;
    for (const auto& [points, probability] : before.law()) total += probability;
    EXPECT_NEAR(total, 1, 1e-9);
    for (std::size_t more = 0; more < counts.size(); ++more) {
      Counts other = counts;
      ++other[more];
      EXPECT_LE(worst_ratio(before.law(), Outcomes(other, fractions, kOne, 1).law()), 1 + 1e-9) << more;
    }
  }
}

// A unit's rows may lie on both sides of what is chosen first: together they lose no more.
TEST(Quantiles, LoseAtMostEpsilonForAllRowsOfAUnit) {
  const auto fractions = fractions_of({0.25, 0.5, 0.75});
  const Counts counts{1, 0};
  const Outcomes before(counts, fractions, kOne, 3);
  for (std::uint64_t low = 0; low <= 3; ++low)
    EXPECT_LE(worst_ratio(before.law(), Outcomes({counts[0] + low, counts[1] + 3 - low}, fractions, kOne, 3).law()),
              1 + 1e-9);
}

Points chosen_exactly(const Counts& counts, const std::vector<double>& fractions) {
  return quantile_points(
      counts, fractions_of(fractions), {1'000'000'000'000}, 1, [](std::span<const Utility> utilities, const Ratio&) {
        return static_cast<std::size_t>(std::max_element(utilities.begin(), utilities.end()) - utilities.begin());
      });
}

TEST(Quantiles, LieWhereTheRowsAre) {
  const Counts tens(100, 10);
  EXPECT_EQ(chosen_exactly(tens, {0.5}), Points{49});
  const Points nine = chosen_exactly(tens, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(static_cast<double>(nine[i]), 10.0 * (i + 1) - 0.5, 1) << i;
  EXPECT_EQ(chosen_exactly(tens, {0, 1}), (Points{0, 99}));
}

// Six of ten rows are the same: what lies above them is found all the same.
TEST(Quantiles, PartTheRowsOfOneCell) {
  Counts counts(101, 0);
  counts[0] = 6000;
  for (std::size_t i = 1; i <= 100; ++i) counts[i] = 40;
  const Points points = chosen_exactly(counts, {0.25, 0.5, 0.75, 0.9});
  EXPECT_EQ(points[0], 0);
  EXPECT_EQ(points[1], 0);
  EXPECT_NEAR(static_cast<double>(points[2]), 37.5, 2);
  EXPECT_NEAR(static_cast<double>(points[3]), 75, 2);
  // The middle one lies among them: each of the rows is on one side of it.
  EXPECT_NEAR(static_cast<double>(chosen_exactly(counts, {0.25, 0.5, 0.8})[2]), 50, 2);
}

// By the laws themselves: they never cross, and are near at a large epsilon.
TEST(Quantiles, NeverCross) {
  test::SeededBits bits(11);
  const auto fractions = fractions_of({0.05, 0.2, 0.35, 0.5, 0.51, 0.8, 0.95});
  for (const char* const name : {"exponential", "permute_and_flip"}) {
    const mechanism::Mechanism law = mechanism::parse(name);
    const Choose choose = [&](std::span<const Utility> utilities, const Ratio& rate) {
      return mechanism::choose(law, utilities, rate, bits);
    };
    for (int i = 0; i < 20; ++i) {
      const Points points = quantile_points(Counts(50, 3), fractions, {100'000'000}, 2, choose);
      EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
    }
    const Points near = quantile_points(Counts(50, 30), fractions, {100'000'000'000}, 1, choose);
    EXPECT_NEAR(static_cast<double>(near[3]), 24.5, 1);
    EXPECT_NEAR(static_cast<double>(near[6]), 47, 1);
  }
}

TEST(Quantiles, AreChosenInFewRounds) {
  for (const auto& [fractions, rounds] :
       std::map<std::size_t, int>{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {9, 4}, {100, 7}})
    EXPECT_EQ(rounds_of_quantiles(fractions), rounds);
  // One alone is what dp_quantile chooses, by the whole epsilon.
  quantile_points(Counts{1, 2, 3}, fractions_of({0.3}), kOne, 2,
                  [](std::span<const Utility> utilities, const Ratio& rate) {
                    const Ratio alone_at = quantile_rate(kOne, Fraction::from(0.3), 2);
                    EXPECT_TRUE(rate.num == alone_at.num && rate.den == alone_at.den);
                    const auto alone = quantile_utilities(Counts{1, 2, 3}, Fraction::from(0.3));
                    EXPECT_TRUE(std::equal(utilities.begin(), utilities.end(), alone.begin(), alone.end()));
                    return std::size_t{0};
                  });
  EXPECT_THROW(quantile_points(Counts{1}, fractions_of({0.1, 0.2}), {1}, 1, {}), Error);
}

}  // namespace
}  // namespace dp::aggregate
