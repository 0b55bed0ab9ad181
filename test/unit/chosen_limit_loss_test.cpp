// What the two stages of a chosen limit lose together, enumerated over neighbouring small tables: the noisy counts from
// which the limit follows, and the answer under it.
//
// All noisy counts of the bins that the units may be in are gone through, up to a bound; those of the others are what
// their noise may make of them, the same for both neighbours. The answer's probabilities are those of its law, from
// core/planning/pmf.h. An answer here is what is told of one or two groups, with the number of the limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "core/accumulate/chosen_limit.h"
#include "core/accumulate/limited_totals.h"
#include "core/mechanism/mechanism.h"
#include "core/noise/discrete_laplace.h"
#include "core/planning/pmf.h"

namespace dp::aggregate {
namespace {

using planning::Probability;

constexpr int kGroups = 2;

// What a unit adds up to in each group; its key rounds its shares.
struct Unit {
  std::array<std::int64_t, kGroups> totals;
  std::uint64_t key;
};

using Table = std::vector<Unit>;

// Sums of rows from -3 to 3.
constexpr RowSteps kRow{-3, 3};
const LimitScale kScale = LimitScale::of_totals(kRow, false);
constexpr int kCounted = 3;  // bins of magnitudes up to 3
constexpr int kLeast = -4, kMost = 7;

struct Read {
  std::array<std::int64_t, kCounted> units{};
  std::vector<std::array<std::int64_t, kGroups>> under;  // each limit, what the groups add up to
};

// As unit_choices.h does it for each unit, to which arms of a family are groups.
Read read(const Table& table) {
  constexpr std::size_t kWords = 2000;
  std::array<std::vector<std::uint64_t>, kGroups> memory;
  std::vector<LimitedTotals> totals;
  EXPECT_LE(LimitedTotals::bytes(kScale, Tag::sum), kWords * sizeof(std::uint64_t));
  for (auto& of_group : memory) {
    of_group.assign(kWords, 0);
    totals.emplace_back(kScale, Tag::sum, reinterpret_cast<char*>(of_group.data()));
  }
  Read result;
  for (const Unit& unit : table) {
    std::array<SumState, kGroups> states;
    Uint128 whole[kGroups];
    Uint128 sum = 0;
    int groups = 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
      states[g] = {{Tag::sum}, static_cast<Uint128>(Int128{unit.totals[g]})};
      whole[g] = magnitude_of(states[g]);
      sum += whole[g];
      groups += whole[g] > 0;
    }
    if (sum == 0) continue;
    const int bin = kScale.bin_of(sum);
    ++result.units.at(static_cast<std::size_t>(bin));
    for (std::size_t g = 0; g < kGroups; ++g) {
      if (whole[g] == 0) continue;
      if (groups == 1) {
        totals[g].add_alone(states[g], bin, kRow);
        continue;
      }
      totals[g].add(states[g], bin, [&](SumState& limited, int number) {
        Uint128 shares[kGroups];
        share_limit(unit.key, kScale.limit(number), sum, whole, kGroups, shares);
        if (shares[g] > 0) limit_magnitude(limited, shares[g], kRow);
        return shares[g] > 0;
      });
    }
  }
  for (int number = 0; number < kScale.size(); ++number) {
    auto& of_limit = result.under.emplace_back();
    for (std::size_t g = 0; g < kGroups; ++g) {
      const AnyState total = totals[g].total(number);
      of_limit[g] = static_cast<std::int64_t>(static_cast<const SumState&>(total.state).total);
    }
  }
  return result;
}

struct Stages {
  mechanism::Epsilon choice, answer;

  // As limit_choice.cpp divides them.
  static Stages of(double epsilon) {
    return {mechanism::Epsilon::from(epsilon / 4), mechanism::Epsilon::from(epsilon * 3 / 4)};
  }

  Probability log_of_count(std::int64_t noise) const {
    return planning::log_pmf(noise::DiscreteLaplace{choice.per(1)}, static_cast<Probability>(noise));
  }

  Probability log_of_answer(int number, std::int64_t noise) const {
    return planning::log_pmf(noise::DiscreteLaplace{answer.per(kScale.limit(number))}, static_cast<Probability>(noise));
  }
};

// What can be seen: the limit, and the noisy answer of each group.
using Seen = std::array<std::int64_t, 1 + kGroups>;

struct Losses {
  Probability of_all = 0;   // with the noisy counts beside it
  Probability of_seen = 0;  // of what is told
  std::map<std::int64_t, int> limits;
};

// The larger of the two losses, of one table beside another, where the bins that are not enumerated have those counts.
// `columns`: so many have these numbers and a limit each, which follows from the same counts; of what their answers may
// be it is enough to go through those that are equal, as each is drawn by itself.
Losses losses(const Table& one, const Table& other, const Stages& stages, std::int64_t others, int columns = 1) {
  const std::array<Read, 2> reads{read(one), read(other)};
  std::array<std::map<Seen, Probability>, 2> chances;
  Losses result;
  Int128 noisy[LimitScale::kMost + 1] = {};
  for (int bin = kCounted; bin <= kScale.size(); ++bin) noisy[static_cast<std::size_t>(bin)] = bin < 5 ? others : 0;
  std::array<std::int64_t, kCounted> counts;
  counts.fill(kLeast);
  for (std::size_t place = 0; place < kCounted;) {
    std::array<Probability, 2> of_counts{};
    for (std::size_t bin = 0; bin < kCounted; ++bin) {
      noisy[bin] = counts[bin];
      for (std::size_t i = 0; i < 2; ++i) of_counts[i] += stages.log_of_count(counts[bin] - reads[i].units[bin]);
    }
    const auto number = choose_limit(kScale, {noisy, static_cast<std::size_t>(kScale.size()) + 1},
                                     stages.choice.value(), stages.answer.value(), false)
                            .number;
    ++result.limits[number];
    for (std::int64_t a = -8; a <= 8; a += 8) {
      for (std::int64_t b = -8; b <= 8; b += 8) {
        const Seen seen{number, a, b};
        std::array<Probability, 2> log = of_counts;
        for (std::size_t i = 0; i < 2; ++i) {
          const auto& exact = reads[i].under[static_cast<std::size_t>(number)];
          log[i] += columns * (stages.log_of_answer(number, a - exact[0]) + stages.log_of_answer(number, b - exact[1]));
          chances[i][seen] += std::exp(log[i]);
        }
        result.of_all = std::max(result.of_all, std::fabs(log[0] - log[1]));
      }
    }
    for (place = 0; place < kCounted && ++counts[place] > kMost; ++place) counts[place] = kLeast;
  }
  for (const auto& [seen, chance] : chances[0])
    result.of_seen = std::max(result.of_seen, std::fabs(std::log(chance / chances[1].at(seen))));
  return result;
}

// Magnitudes in each of the bins, alone in a group and in both, of both signs; beyond some limits and below others.
const std::vector<Unit> kUnits{{{1, 0}, 0},
                               {{-3, 0}, 0},
                               {{0, 2}, 0},
                               {{1, 2}, 1},
                               {{2, -1}, 7},
                               {{-1, 1}, ~UINT64_C(0)},
                               {{1, -2}, UINT64_C(1) << 63},
                               {{0, 0}, 3}};

const std::vector<Table> kTables{{}, {kUnits[0]}, {kUnits[1], kUnits[3]}, {kUnits[2], kUnits[4], kUnits[6], kUnits[0]}};

TEST(ChosenLimitLoss, IsNeverAboveEpsilon) {
  constexpr double epsilon = 6;
  const Stages stages = Stages::of(epsilon);
  Probability most = 0;
  std::map<std::int64_t, int> limits;
  for (const Table& table : kTables) {
    for (const Unit& unit : kUnits) {
      Table larger = table;
      larger.push_back(unit);
      for (const std::int64_t others : {0, 3}) {
        const Losses lost = losses(larger, table, stages, others);
        EXPECT_LE(lost.of_all, epsilon * (1 + 1e-12));
        EXPECT_LE(lost.of_seen, lost.of_all * (1 + 1e-12));
        most = std::max(most, lost.of_all);
        for (const auto& [limit, times] : lost.limits) limits[limit] += times;
      }
    }
  }
  // All of it is lost somewhere, and limits of several sizes were chosen.
  EXPECT_GE(most, epsilon * (1 - 1e-12));
  EXPECT_GE(limits.size(), 6u);
}

// Each stage by itself: a quarter where a limit cuts the unit to nothing new, and all of it where it does not.
TEST(ChosenLimitLoss, IsThatOfBothStages) {
  const Stages stages = Stages::of(2);
  EXPECT_NEAR(static_cast<double>(losses({kUnits[7]}, {}, stages, 0).of_all), 0, 1e-15);
  EXPECT_NEAR(static_cast<double>(losses({kUnits[0]}, {}, stages, 0).of_all), 2, 1e-15);
}

// Of k columns about the same rows the counts are lost once, and three quarters of epsilon by each answer.
TEST(ChosenLimitLoss, SeveralLimitsFollowFromTheSameCounts) {
  const Stages stages = Stages::of(2);
  for (const int columns : {2, 3}) {
    const double price = 2 * (0.25 + 0.75 * columns);
    Probability most = 0;
    for (const Table& table : kTables) {
      for (const Unit& unit : kUnits) {
        Table larger = table;
        larger.push_back(unit);
        const Losses lost = losses(larger, table, stages, 3, columns);
        EXPECT_LE(lost.of_all, price * (1 + 1e-12));
        EXPECT_LE(lost.of_seen, price * (1 + 1e-12));
        most = std::max(most, lost.of_all);
      }
    }
    EXPECT_GE(most, price * (1 - 1e-12));
  }
}

}  // namespace
}  // namespace dp::aggregate
