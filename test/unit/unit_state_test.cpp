// What one privacy unit may add: never more than so many rows can, exactly what it has where that is not more, and of
// the released integers the shares that are promised.
#include "core/accumulate/unit_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/accumulate/noisy_answer.h"

namespace dp::aggregate {
namespace {

template <class S>
S state_of(const std::vector<std::int64_t>& rows) {
  S state{};
  state.tag = S::kTag;
  for (const std::int64_t steps : rows) {
    if constexpr (requires { state.add(steps); }) {
      state.add(steps);
    } else {
      state.add();
    }
  }
  return state;
}

template <class S>
S limited(S state, std::uint32_t rows, RowSteps row) {
  limit_unit(state, rows, row);
  return state;
}

Int128 total_of(const SumState& state) { return static_cast<Int128>(state.total); }

// Rows of a unit within the steps; with the ends, which are where rounding could lead outside.
std::vector<std::int64_t> some_rows(std::mt19937_64& random, RowSteps row, int most) {
  std::vector<std::int64_t> rows(std::uniform_int_distribution<std::size_t>(0, most)(random));
  for (std::int64_t& steps : rows) {
    switch (random() % 4) {
      case 0:
        steps = row.low;
        break;
      case 1:
        steps = row.high;
        break;
      default:
        steps = std::uniform_int_distribution<std::int64_t>(row.low, row.high)(random);
    }
  }
  return rows;
}

TEST(UnitState, FewRowsAreKeptAsTheyAre) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const RowSteps row{0, 1 + static_cast<std::int64_t>(random() % 1000)};
    const auto rows = some_rows(random, row, 6);
    const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(rows.size(), 1));
    EXPECT_EQ(limited(state_of<CountState>(rows), most, row).rows, rows.size());
    EXPECT_EQ(total_of(limited(state_of<SumState>(rows), most, row)), total_of(state_of<SumState>(rows)));
    EXPECT_EQ(limited(state_of<MeanState>(rows), most, row).total, state_of<MeanState>(rows).total);
    EXPECT_EQ(limited(state_of<MomentsState>(rows), most, row).total_squares,
              state_of<MomentsState>(rows).total_squares);
  }
}

TEST(UnitState, CountsAndSumsAreCutAtWhatTheRowsCanHave) {
  EXPECT_EQ(limited(state_of<CountState>({1, 1, 1, 1, 1}), 3, {}).rows, 3u);
  EXPECT_EQ(total_of(limited(state_of<SumState>({50, 50, 50, 50}), 3, {-10, 60})), 180);
  EXPECT_EQ(total_of(limited(state_of<SumState>({50, 50, 50}), 3, {-10, 60})), 150);
  EXPECT_EQ(total_of(limited(state_of<SumState>({-10, -10, -10}), 2, {-10, 60})), -20);
  // All rows are used, so many small ones may add up to what few large ones may.
  EXPECT_EQ(total_of(limited(state_of<SumState>({10, 10, 10, 10}), 1, {0, 40})), 40);
  // Bounds of one sign: a unit without rows adds nothing, so nothing must be allowed.
  EXPECT_EQ(total_of(limited(state_of<SumState>({5, 5, 5}), 2, {4, 6})), 12);
  EXPECT_EQ(total_of(limited(state_of<SumState>({4}), 2, {4, 6})), 4);
  EXPECT_EQ(total_of(limited(state_of<SumState>({-5, -5, -5}), 2, {-6, -4})), -12);
  const RowSteps widest{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(total_of(limited(state_of<SumState>({widest.low, widest.low, widest.low}), 2, widest)),
            Int128{widest.low} * 2);
}

TEST(UnitState, SumsOfAnyRowsStayWithinTheBoundsTimesTheRows) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::int64_t a = static_cast<std::int64_t>(random() % 2001) - 1000,
                 b = static_cast<std::int64_t>(random() % 2001) - 1000;
    const RowSteps row{std::min(a, b), std::max(a, b)};
    const auto most = 1 + static_cast<std::uint32_t>(random() % 5);
    const Int128 total = total_of(limited(state_of<SumState>(some_rows(random, row, 12)), most, row));
    const std::int64_t widest = std::max(std::abs(row.low), std::abs(row.high));
    EXPECT_LE(total, Int128{widest} * most);
    EXPECT_GE(total, -Int128{widest} * most);
  }
}

// The pair that is released: each part is the unit's own share of rows * range, to one step.
TEST(UnitState, MeansKeepTheUnitsOwnMeanAtTheWeightOfTheRows) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const RowSteps row{0, 1 + static_cast<std::int64_t>(random() % 100)};
    const auto rows = some_rows(random, row, 12);
    const auto most = 1 + static_cast<std::uint32_t>(random() % 5);
    const auto before = state_of<MeanState>(rows);
    const auto after = limited(before, most, row);
    const std::uint64_t weight = std::min<std::uint64_t>(rows.size(), most);
    const MeanPair pair = mean_pair(after, row.high);
    EXPECT_EQ(after.rows, weight);
    EXPECT_GE(pair.above, 0);
    EXPECT_GE(pair.below, 0);
    EXPECT_EQ(pair.above + pair.below, Int128{row.high} * static_cast<Int128>(weight));
    if (rows.size() <= most) continue;
    // |total/weight - mean| < 1/weight, in whole numbers.
    const Int128 off = static_cast<Int128>(before.total) * static_cast<Int128>(weight) -
                       static_cast<Int128>(after.total) * static_cast<Int128>(before.rows);
    EXPECT_GE(off, 0);
    EXPECT_LT(off, static_cast<Int128>(before.rows));
  }
}

// The triple that is released: non-negative, and together rows * range^2.
TEST(UnitState, MomentsStayNonNegativeAndAddUp) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 50000; ++i) {
    const RowSteps row{0, 1 + static_cast<std::int64_t>(random() % (i % 2 == 0 ? 4 : 1000))};
    const auto rows = some_rows(random, row, 12);
    const auto most = 1 + static_cast<std::uint32_t>(random() % 5);
    const auto before = state_of<MomentsState>(rows);
    const auto after = limited(before, most, row);
    const std::uint64_t weight = std::min<std::uint64_t>(rows.size(), most);
    const MomentTriple triple = moment_triple(after, row.high);
    EXPECT_GE(triple.above, 0);
    EXPECT_GE(triple.mixed, 0);
    EXPECT_GE(triple.below, 0);
    EXPECT_EQ(triple.above + triple.mixed + triple.below, Int128{row.high} * row.high * static_cast<Int128>(weight));
    if (rows.size() <= most) continue;
    // The share of the squares, to one step or to what rounding the total takes off.
    const Int128 share =
        static_cast<Int128>(before.total_squares) * static_cast<Int128>(weight) / static_cast<Int128>(before.rows);
    EXPECT_LE(static_cast<Int128>(after.total_squares), share);
    EXPECT_GE(static_cast<Int128>(after.total_squares), share - row.high);
  }
}

// What is released of pairs: never negative, no more together than the rows that may count add, and of each number its
// share to one step. What is NULL is a row, too.
template <class S>
void check_shares_of_pairs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5000; ++i) {
    const auto y_range = 1 + static_cast<std::int64_t>(random() % 1000),
               x_range = 1 + static_cast<std::int64_t>(random() % 7);
    const Int128 once = Int128{y_range} * x_range, of_row = S::kTag == Tag::covariance ? once : once * once;
    const int rows = static_cast<int>(random() % 12);
    const auto most = 1 + static_cast<std::uint32_t>(random() % 5);
    S before{};
    before.tag = S::kTag;
    for (int row = 0; row < rows; ++row) {
      if (random() % 4 == 0) {
        before.add_missing(y_range, x_range);
      } else {
        before.add(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(y_range + 1)),
                   static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(x_range + 1)), y_range, x_range);
      }
    }
    const S after = limited(before, most, {});
    const int weight = std::min<int>(rows, static_cast<int>(most));
    EXPECT_EQ(after.rows, static_cast<std::uint64_t>(weight));
    const auto count = static_cast<Int128>(std::size(after.numbers)) + 1;
    Int128 together = 0;
    const auto check = [&](Uint128 whole, Uint128 share) {
      together += static_cast<Int128>(share);
      EXPECT_GE(static_cast<Int128>(share), 0);
      const Int128 off = static_cast<Int128>(whole) * weight - static_cast<Int128>(share) * rows;
      EXPECT_GE(off, 0);
      EXPECT_TRUE(off < std::max(rows, 1));
    };
    for (std::size_t number = 0; number < std::size(after.numbers); ++number)
      check(before.numbers[number], after.numbers[number]);
    check(before.missing, after.missing);
    EXPECT_LE(together, of_row * weight);
    EXPECT_GT(together, of_row * weight - count);
  }
}

TEST(UnitState, PairsKeepTheUnitsOwnNumbersAtTheWeightOfTheRows) {
  check_shares_of_pairs<CovarianceState>(5);
  check_shares_of_pairs<RegressionState>(6);
}

TEST(UnitState, ManyRowsOfWideStepsDoNotOverflow) {
  MeanState mean{};
  mean.tag = Tag::mean;
  mean.rows = (std::uint64_t{1} << 62) - 1;
  const std::int64_t range = std::int64_t{1} << 62;
  mean.total = static_cast<Uint128>(mean.rows) * static_cast<Uint128>(range);
  limit_unit(mean, 1'000'000, {0, range});
  EXPECT_EQ(mean.total, static_cast<Uint128>(range) * 1'000'000);
  MomentsState moments{};
  moments.tag = Tag::moments;
  moments.rows = (std::uint64_t{1} << 62) - 1;
  const std::int64_t side = std::int64_t{1} << 32;
  moments.total = static_cast<Uint128>(moments.rows) * static_cast<Uint128>(side);
  moments.total_squares = moments.total * static_cast<Uint128>(side);
  limit_unit(moments, 999'999, {0, side});
  EXPECT_EQ(moments.total_squares, static_cast<Uint128>(side) * static_cast<Uint128>(side) * 999'999);
  RegressionState pairs{};
  pairs.tag = Tag::regression;
  pairs.rows = (std::uint64_t{1} << 62) - 1;
  pairs.missing = static_cast<Uint128>(pairs.rows) << 64;
  limit_unit(pairs, 999'999, {});
  EXPECT_EQ(pairs.missing, Uint128{999'999} << 64);
}

// By how much a unit of rows `one` changes what counts of it and another one of rows `other`, taken for one; and by how
// much if it is alone.
template <class S>
std::pair<std::int64_t, std::int64_t> changes(const std::vector<std::int64_t>& one,
                                              const std::vector<std::int64_t>& other, std::uint32_t rows,
                                              const RowSteps& row, auto number) {
  const auto limited = [&](std::initializer_list<const std::vector<std::int64_t>*> units) {
    S state{};
    for (const auto* const unit : units) {
      for (const std::int64_t steps : *unit) {
        if constexpr (S::kTag == Tag::count) {
          state.add();
        } else {
          state.add(steps);
        }
      }
    }
    limit_state(state, rows, row);
    return static_cast<std::int64_t>(number(state));
  };
  return {limited({&one, &other}) - limited({&other}), limited({&one})};
}

// All units of up to four rows.
std::vector<std::vector<std::int64_t>> units_of(std::int64_t low, std::int64_t high) {
  std::vector<std::vector<std::int64_t>> units{{}};
  for (std::size_t i = 0; units[i].size() < 4; ++i) {
    for (std::int64_t steps = low; steps <= high; ++steps) {
      units.push_back(units[i]);
      units.back().push_back(steps);
    }
  }
  return units;
}

TEST(UnitState, TakenForOneAUnitChangesNoMoreThanAlone) {
  const RowSteps row{0, 2};
  ASSERT_TRUE(may_be_taken_for_one(Tag::count, row, false));
  ASSERT_TRUE(may_be_taken_for_one(Tag::sum, row, false));
  const auto units = units_of(0, 2);
  for (const auto& one : units) {
    for (const auto& other : units) {
      const auto [rows, alone] = changes<CountState>(one, other, 3, row, [](const CountState& s) { return s.rows; });
      EXPECT_TRUE(rows >= 0 && rows <= alone);
      const auto [total, sum] = changes<SumState>(one, other, 3, row, [](const SumState& s) { return s.total; });
      EXPECT_TRUE(total >= 0 && total <= sum);
    }
  }
}

// Where it would be wrong it is not done: one example of a unit that changes more than any one may alone.
TEST(UnitState, NotTakenForOneWhereAUnitCouldChangeMore) {
  const RowSteps both{-2, 2}, positive{0, 2};
  EXPECT_FALSE(may_be_taken_for_one(Tag::sum, both, false));
  const auto total = [](const auto& state) { return state.total; };
  EXPECT_EQ(changes<SumState>({2, 2, 2, 2}, {-2, -2}, 2, both, total).first, 8);  // alone 4 at most
  EXPECT_FALSE(may_be_taken_for_one(Tag::mean, positive, false));
  // (total, rows high - total): from (4, 0) to (1, 3), which is 6 where alone it is 4 at most
  EXPECT_EQ(changes<MeanState>({0, 0, 0, 0, 0, 0}, {2, 2}, 2, positive, total).first, -3);
  EXPECT_FALSE(may_be_taken_for_one(Tag::count, positive, true));
  for (const Tag tag : {Tag::moments, Tag::totals, Tag::all_moments, Tag::covariance, Tag::regression, Tag::histogram,
                        Tag::sample, Tag::points})
    EXPECT_FALSE(may_be_taken_for_one(tag, positive, false));
}

// Over the groups of a unit the shares are `most` together, in each group they differ by less than one from the group's
// part, and over all keys they are exactly that part.
TEST(UnitShare, AddsUpByUnitAndAveragesByKey) {
  for (const std::vector<std::int64_t>& groups :
       {std::vector<std::int64_t>{5}, {1, 1}, {7, 1, 2}, {3, 3, 3, 3}, {20, 1, 1, 1, 4}}) {
    std::int64_t all = 0;
    for (const std::int64_t rows : groups) all += rows;
    for (std::int64_t most = 1; most <= all + 2; ++most) {
      std::vector<std::int64_t> over_keys(groups.size());
      for (std::int64_t key = 0; key < all; ++key) {
        std::int64_t up_to = 0, together = 0;
        for (std::size_t g = 0; g < groups.size(); ++g) {
          up_to += groups[g];
          const std::int64_t share = share_of_rows(static_cast<std::uint64_t>(key), most, groups[g], up_to, all);
          EXPECT_GE(share, 0);
          EXPECT_LE(share, groups[g]);
          over_keys[g] += share;
          together += share;
        }
        EXPECT_EQ(together, std::min(most, all)) << most << " of " << all;
      }
      for (std::size_t g = 0; g < groups.size(); ++g)
        EXPECT_EQ(over_keys[g], std::min(most, all) * groups[g]) << most << " of " << all;
    }
  }
}

TEST(UnitShare, LargeNumbersAndWrongOnes) {
  const std::int64_t all = (std::int64_t{1} << 62) - 1, half = all / 2;
  const std::int64_t first = share_of_rows(~std::uint64_t{0}, 1'000'000, half, half, all);
  const std::int64_t second = share_of_rows(~std::uint64_t{0}, 1'000'000, all - half, all, all);
  EXPECT_EQ(first + second, 1'000'000);
  EXPECT_NEAR(static_cast<double>(first), 500'000, 1);
  EXPECT_EQ(share_of_rows(1, 3, 0, 5, 9), 0);
  EXPECT_EQ(share_of_rows(1, 3, 6, 5, 9), 0);
  EXPECT_EQ(share_of_rows(1, 3, 2, 10, 9), 0);
  EXPECT_EQ(share_of_rows(1, 0, 2, 5, 9), 0);
}

}  // namespace
}  // namespace dp::aggregate
