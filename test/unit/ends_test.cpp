// The utility of dp_min and dp_max: what rows change, on all small tables, and how far from the end answers are.
#include "core/accumulate/ends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/selection_laws.h"

namespace dp::test {
namespace {

using aggregate::End;
using aggregate::end_rank;
using aggregate::end_rate;
using aggregate::end_utilities;
using mechanism::Epsilon;
using noise::Utility;

using Counts = std::vector<std::uint64_t>;

constexpr End kEnds[] = {End::least, End::greatest};

// All tables with at most three rows in each of three cells.
std::vector<Counts> all_small_tables() {
  std::vector<Counts> all;
  for (std::uint64_t i = 0; i < 64; ++i) all.push_back({i % 4, i / 4 % 4, i / 16});
  return all;
}

TEST(Ends, AreRanksFromThere) {
  const Counts counts{0, 2, 0, 3, 5, 0};
  EXPECT_EQ(end_utilities(counts, End::least, 3), (std::vector<Utility>{-3, -1, -1, 0, -2, -7}));
  EXPECT_EQ(end_utilities(counts, End::greatest, 3), (std::vector<Utility>{-7, -5, -5, -2, 0, -3}));
  EXPECT_EQ(end_utilities({}, End::least, 3).size(), 0u);
}

// Exactly, under both laws, for the rows of one unit, which may lie anywhere.
TEST(Ends, LoseEpsilonAtMost) {
  for (const auto& [e, rows] : {std::pair{0.7, 1u}, {0.7, 3u}, {9.0, 1u}}) {
    const Epsilon epsilon = Epsilon::from(e);
    Real most = 0;
    for (const End end : kEnds) {
      for (const Utility rank : {1, 2, 4, 20}) {
        const Real rate = real(end_rate(epsilon, rows));
        for (const Counts& counts : all_small_tables()) {
          for (std::size_t k = 0; k < counts.size(); ++k) {
            Counts more = counts;
            more[k] += rows - rows / 3;
            more[(k + 1) % counts.size()] += rows / 3;
            const auto before = end_utilities(counts, end, rank), after = end_utilities(more, end, rank);
            const Real exponential = greatest_loss(exponential_law(before, {}, rate), exponential_law(after, {}, rate));
            const Real flipped = greatest_loss(permute_and_flip_law(before, rate), permute_and_flip_law(after, rate));
            EXPECT_LE(exponential, epsilon.value() + 1e-12);
            EXPECT_LE(flipped, epsilon.value() + 1e-12);
            most = std::max({most, exponential, flipped});
          }
        }
      }
    }
    EXPECT_GE(most, epsilon.value() * 0.55);
  }
}

// In 95 of 100 answers at least one row lies there or beyond, and fewer than twice the rank: the worst tables have all
// of their empty points at that end, or all rows next to each other.
TEST(Ends, AreWithinTwiceTheRank) {
  const Epsilon epsilon = Epsilon::from(2);
  for (const std::uint64_t rows : {1, 2}) {
    for (const End end : kEnds) {
      Counts wide(12, 0);
      const Utility rank = end_rank(epsilon, wide.size(), rows);
      EXPECT_EQ(rank, std::ceil(static_cast<double>(rows) * std::log(240)));
      wide[6] = static_cast<std::uint64_t>(rank);
      Counts one_in_each(12, static_cast<std::uint64_t>(rank));
      for (const Counts& counts : {wide, one_in_each}) {
        const auto utilities = end_utilities(counts, end, rank);
        for (const auto& law : {exponential_law(utilities, {}, real(end_rate(epsilon, rows))),
                                permute_and_flip_law(utilities, real(end_rate(epsilon, rows)))}) {
          Real far = 0;
          for (std::size_t c = 0; c < counts.size(); ++c) {
            if (utilities[c] <= -rank) far += law.masses[c];
          }
          EXPECT_LE(far, 0.05);
          EXPECT_GT(far, 0.0005);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::test
