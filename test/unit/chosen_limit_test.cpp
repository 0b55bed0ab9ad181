// Limits that are chosen privately: the scale and its bins, what a limit leaves of a unit, and how good the choice is.
#include "core/accumulate/chosen_limit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "core/accumulate/limited_totals.h"
#include "core/mechanism/mechanism.h"
#include "core/noise/discrete_laplace.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

using test::SeededBits;

// The counts of the bins of any scale.
struct Counts {
  Int128 of[LimitScale::kMost + 1] = {};

  noise::Int128View view(const LimitScale& scale) const { return {of, static_cast<std::size_t>(scale.size()) + 1}; }
};

std::vector<LimitScale> scales() {
  return {LimitScale::of_rows(),
          LimitScale::of_totals({0, 1}, false),
          LimitScale::of_totals({-700, 100}, false),
          LimitScale::of_totals({0, 1024}, true),
          LimitScale::of_totals({0, std::int64_t{1} << 40}, true),
          LimitScale::of_totals({INT64_MIN, INT64_MAX}, false),
          LimitScale::of_open_totals({INT16_MIN, INT16_MAX}, false),
          LimitScale::of_open_totals({INT64_MIN, INT64_MAX}, false),
          LimitScale::of_open_totals({-(std::int64_t{1} << 62), std::int64_t{1} << 62}, true)};
}

TEST(LimitScale, LimitsGrowByHalvesOfPowersOfTwo) {
  const LimitScale rows = LimitScale::of_rows();
  std::vector<std::uint64_t> first;
  for (int i = 0; i < 9; ++i) first.push_back(static_cast<std::uint64_t>(rows.limit(i)));
  EXPECT_EQ(first, (std::vector<std::uint64_t>{1, 2, 3, 4, 6, 8, 12, 16, 24}));
  EXPECT_EQ(rows.limit(rows.size() - 1), LimitScale::kMostRows);
  for (const LimitScale& scale : scales()) {
    for (int i = 1; i < scale.size(); ++i) EXPECT_LT(scale.limit(i - 1), scale.limit(i));
  }
}

// From a small part of what a row adds, or a step, to what the most rows add.
TEST(LimitScale, TotalsAreAroundWhatRowsAdd) {
  for (const std::int64_t high : {std::int64_t{1}, std::int64_t{1000}, std::int64_t{1} << 40, INT64_MAX}) {
    const LimitScale scale = LimitScale::of_totals({0, high}, false);
    EXPECT_LE(scale.limit(0), static_cast<Uint128>(std::max<std::int64_t>(high / 30'000, 1)));
    EXPECT_GE(scale.limit(scale.usual()), static_cast<Uint128>(high));
    // Of values that are rounded not so far below.
    const LimitScale rounded = LimitScale::of_totals({0, high}, true);
    EXPECT_GE(rounded.limit(0), static_cast<Uint128>(high) >> 10);
    EXPECT_GE(rounded.limit(rounded.size() - 1), static_cast<Uint128>(high) * LimitScale::kMostRows);
    EXPECT_GE(scale.limit(scale.size() - 1), static_cast<Uint128>(high) * LimitScale::kMostRows);
  }
}

// From one step on, or as many as hide that values are rounded to them; nothing is usual.
TEST(LimitScale, OpenTotalsHaveAllThatTheTypeAllows) {
  const LimitScale whole = LimitScale::of_open_totals({INT64_MIN, INT64_MAX}, false);
  EXPECT_EQ(whole.limit(0), 1u);
  EXPECT_GE(whole.limit(whole.size() - 1), (Uint128{1} << 63) * LimitScale::kMostRows);
  EXPECT_EQ(whole.usual(), whole.size());
  EXPECT_EQ(whole.size(), LimitScale::kMost);
  const std::int64_t most = std::int64_t{1} << 62;
  const LimitScale rounded = LimitScale::of_open_totals({-most, most}, true);
  EXPECT_EQ(rounded.limit(0), 1024u);
  EXPECT_GE(rounded.limit(rounded.size() - 1), static_cast<Uint128>(most) * LimitScale::kMostRows);
  EXPECT_EQ(LimitScale::of_open_totals({0, 1}, true).limit(0), 1024u);
}

// The smallest limit that cuts nothing, at the limits and beside them.
TEST(LimitScale, EachMagnitudeIsInTheBinOfItsSmallestLimit) {
  for (const LimitScale& scale : scales()) {
    EXPECT_EQ(scale.bin_of(1), 0);
    for (int i = 0; i < scale.size(); ++i) {
      EXPECT_EQ(scale.bin_of(scale.limit(i)), i);
      EXPECT_EQ(scale.bin_of(scale.limit(i) + 1), i + 1);
      if (i > 0) {
        EXPECT_EQ(scale.bin_of(scale.limit(i) - 1), scale.limit(i) - 1 > scale.limit(i - 1) ? i : i - 1);
      }
    }
    EXPECT_EQ(scale.bin_of(~Uint128{0}), scale.size());
  }
}

TEST(ChosenLimit, MagnitudesAreRowsAndAbsoluteTotals) {
  EXPECT_EQ(magnitude_of(CountState{{Tag::count}, 7}), 7u);
  EXPECT_EQ(magnitude_of(SumState{{Tag::sum}, static_cast<Uint128>(Int128{-9})}), 9u);
  EXPECT_EQ(magnitude_of(MeanState{{Tag::mean}, 3, 500}), 3u);
  EXPECT_EQ(magnitude_of(TotalsState{{Tag::totals}, 4, 10, 5}), 4u);
}

TEST(ChosenLimit, SumsAreClampedOnBothSides) {
  for (const std::int64_t total : {-100, -7, 0, 5, 100}) {
    SumState unit{{Tag::sum}, static_cast<Uint128>(Int128{total})};
    limit_magnitude(unit, 7, {-100, 100});
    EXPECT_EQ(static_cast<std::int64_t>(unit.total), std::clamp<std::int64_t>(total, -7, 7));
  }
}

// Never above the limit, each near its part, and on average it.
TEST(ChosenLimit, SharesAddUpToTheLimitAndKeepTheirParts) {
  SeededBits bits(1);
  constexpr std::size_t kGroups = 4;
  struct Case {
    Uint128 whole[kGroups];
    Uint128 limit;
  };
  const Uint128 large = Uint128{1} << 90;
  for (const Case& one :
       {Case{{3, 1, 6, 2}, 4}, {{3, 1, 6, 2}, 1}, {{5 * large, large, 2 * large, 0}, 3 * large / 2}}) {
    const Uint128 sum = std::accumulate(std::begin(one.whole), std::end(one.whole), Uint128{0});
    double mean[kGroups] = {};
    constexpr int kTimes = 20'000;
    for (int i = 0; i < kTimes; ++i) {
      Uint128 shares[kGroups];
      share_limit(bits.bits(64), one.limit, sum, one.whole, kGroups, shares);
      ASSERT_LE(std::accumulate(std::begin(shares), std::end(shares), Uint128{0}), one.limit);
      for (std::size_t g = 0; g < kGroups; ++g) {
        ASSERT_LE(shares[g], one.whole[g]);
        mean[g] += static_cast<double>(shares[g]) / kTimes;
      }
    }
    for (std::size_t g = 0; g < kGroups; ++g) {
      const double part = static_cast<double>(one.whole[g]) * static_cast<double>(one.limit) / static_cast<double>(sum);
      EXPECT_NEAR(mean[g], part, 0.06 * part);
    }
  }
}

// The totals under a limit are what limiting each unit by itself adds up to.
TEST(LimitedTotals, AreThoseOfUnitsThatWereLimited) {
  std::mt19937_64 random(2);
  const LimitScale scale = LimitScale::of_rows();
  std::vector<std::uint64_t> memory(LimitedTotals::bytes(scale, Tag::mean) / sizeof(std::uint64_t) + 1);
  LimitedTotals totals(scale, Tag::mean, reinterpret_cast<char*>(memory.data()));
  std::vector<MeanState> units;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t rows = 1 + (random() >> (random() % 50 + 14)) % 100'000;
    units.push_back({{Tag::mean}, rows, rows * (random() % 10)});
    totals.add_alone(units.back(), scale.bin_of(rows), {0, 10});
  }
  for (int number = 0; number < scale.size(); ++number) {
    MeanState expected{{Tag::mean}, 0, 0};
    for (MeanState unit : units) {
      limit_unit(unit, static_cast<std::uint32_t>(scale.limit(number)), {0, 10});
      expected.merge(unit);
    }
    const AnyState found = totals.total(number);
    const auto& mean = static_cast<const MeanState&>(found.state);
    EXPECT_EQ(mean.rows, expected.rows);
    EXPECT_EQ(mean.total, expected.total);
  }
}

// Units that are alone, whose sums are known by their number, and such as have shares in this group.
TEST(LimitedTotals, OfSumsAreClampedOnes) {
  std::mt19937_64 random(5);
  const RowSteps row{-1000, 1000};
  const LimitScale scale = LimitScale::of_totals(row, true);
  std::vector<std::uint64_t> memory(LimitedTotals::bytes(scale, Tag::sum) / sizeof(std::uint64_t) + 1);
  LimitedTotals totals(scale, Tag::sum, reinterpret_cast<char*>(memory.data()));
  Int128 expected[LimitScale::kMost] = {};
  for (int i = 0; i < 300; ++i) {
    const auto total = static_cast<std::int64_t>((random() >> (random() % 40 + 24))) * (i % 3 == 0 ? -1 : 1);
    const SumState unit{{Tag::sum}, static_cast<Uint128>(Int128{total})};
    const bool alone = i % 2 == 0;
    const int bin = scale.bin_of(magnitude_of(unit));
    const auto half = [](Int128 number) { return number / 2; };
    if (alone) {
      totals.add_alone(unit, bin, row);
    } else {
      totals.add(unit, bin, [&](SumState& state, int number) {
        limit_magnitude(state, static_cast<Uint128>(half(static_cast<Int128>(scale.limit(number)))) + 1, row);
        return true;
      });
    }
    for (int number = 0; number < scale.size(); ++number) {
      const auto limit = static_cast<Int128>(scale.limit(number)),
                 most = alone || number >= bin ? limit : half(limit) + 1;
      expected[number] += std::clamp<Int128>(total, -most, most);
    }
  }
  for (int number = 0; number < scale.size(); ++number) {
    const AnyState found = totals.total(number);
    EXPECT_TRUE(static_cast<Int128>(static_cast<const SumState&>(found.state).total) == expected[number]);
  }
}

// Of what units add up to: the error with the limit that is chosen, beside that of the best one in hindsight.
double error_beside_best(const LimitScale& scale, const std::vector<double>& units, double epsilon) {
  Counts counts;
  for (const double unit : units) ++counts.of[scale.bin_of(static_cast<Uint128>(unit))];
  const auto error = [&](int number, double rate) {
    const auto limit = static_cast<double>(scale.limit(number));
    double cut = 0;
    for (const double unit : units) cut += std::max(unit - limit, 0.0);
    return cut * cut + 2 * std::pow(limit / rate, 2);
  };
  double best = INFINITY;
  for (int number = 0; number < scale.size(); ++number) best = std::min(best, error(number, epsilon));
  const noise::DiscreteLaplace noise{mechanism::Epsilon::from(epsilon / 4).per(1)};
  SeededBits bits(3);
  double sum = 0;
  constexpr int kTimes = 400;
  for (int i = 0; i < kTimes; ++i) {
    Counts noisy = counts;
    for (Int128& count : noisy.of) count += noise.sample(bits);
    const ChosenLimit chosen = choose_limit(scale, noisy.view(scale), epsilon / 4, epsilon * 3 / 4, false);
    sum += error(chosen.number, epsilon * 3 / 4) / kTimes;
  }
  return std::sqrt(sum / best);
}

TEST(ChosenLimit, IsNearlyAsGoodAsTheBestInHindsight) {
  std::mt19937_64 random(4);
  const auto population = [&](int size, auto law) {
    std::vector<double> units;
    for (int i = 0; i < size; ++i) units.push_back(std::floor(1 + static_cast<double>(law(random))));
    return units;
  };
  const auto rows = population(20'000, std::geometric_distribution<int>(0.2));
  const auto costs = population(20'000, std::lognormal_distribution<double>(8, 1));
  const auto wide = population(200'000, std::lognormal_distribution<double>(8, 2));
  const auto ending = population(20'000, [](std::mt19937_64& from) {  // falls, and then there is nothing
    std::lognormal_distribution<double> law(8, 1);
    for (;;) {
      if (const double value = law(from); value < 16'000) return value;
    }
  });
  const auto powers = population(20'000, [](std::mt19937_64& from) {  // of a Pareto law
    return 100 * std::pow(std::uniform_real_distribution<double>(0x1p-53, 1)(from), -1 / 2.5);
  });
  for (const LimitScale& scale :
       {LimitScale::of_totals({0, 65'536}, false), LimitScale::of_open_totals({INT64_MIN, INT64_MAX}, false)}) {
    for (const double epsilon : {0.1, 1.0}) {
      for (const auto& units : {rows, costs, wide, powers, ending})
        EXPECT_LT(error_beside_best(scale, units, epsilon), 2.15);
    }
    EXPECT_LT(error_beside_best(scale, std::vector<double>(2000, 7), 0.1), 2);
  }
}

// One who stands alone far above the others is not let to decide.
TEST(ChosenLimit, IsNotThatOfASingleUnit) {
  const LimitScale scale = LimitScale::of_rows();
  Counts counts;
  counts.of[3] = 10'000;
  counts.of[scale.size()] = 1;
  EXPECT_LE(choose_limit(scale, counts.view(scale), 0.25, 0.75, false).number, 3);
  EXPECT_EQ(choose_limit(scale, counts.view(scale), 250'000, 750'000, false).number, scale.size() - 1);
}

// Beside what counts, as the middles of the bins have it: a thousand with one row, and 400 with two, of which half a
// row is cut.
TEST(ChosenLimit, SaysWhatIsCut) {
  const LimitScale scale = LimitScale::of_rows();
  Counts counts;
  counts.of[0] = 1'000;
  counts.of[1] = 400;
  const ChosenLimit cut = choose_limit(scale, counts.view(scale), 0.01, 0.005, false);
  EXPECT_EQ(cut.number, 0);
  EXPECT_NEAR(cut.cut, 200.0 / 1'400, 1e-12);
  const ChosenLimit whole = choose_limit(scale, counts.view(scale), 1, 1, false);
  EXPECT_EQ(whole.number, 1);
  EXPECT_EQ(whole.cut, 0);
}

// Weights may be cut where totals may not.
TEST(ChosenLimit, OfMeansIsSmaller) {
  const LimitScale scale = LimitScale::of_rows();
  Counts counts;
  std::fill_n(counts.of, 12, 1'000);
  const noise::Int128View units = counts.view(scale);
  EXPECT_LT(choose_limit(scale, units, 0.005, 0.015, true).number,
            choose_limit(scale, units, 0.005, 0.015, false).number);
}

}  // namespace
}  // namespace dp::aggregate
