// A whole answer over privacy units, replayed on the neighbouring data: one unit with many rows, spread over groups, is
// not there. The same bits are used up, and the integers before the noise differ by what the noise was calibrated for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/accumulate/noisy_answer.h"
#include "core/accumulate/unit_state.h"
#include "core/mechanism/mechanism_text.h"
#include "support/bits.h"

namespace dp::aggregate {
namespace {

// Int128 without its alignment, which templates ignore.
using Whole = __int128;
using mechanism::Changes;
using mechanism::Contribution;

struct Row {
  int unit;
  int group;
  std::int64_t steps;
};

constexpr int kGroups = 4;
constexpr RowSteps kSteps{0, 20};

// What an aggregate releases of each group, and what one row changes of it.
struct Aggregate {
  const char* name;
  Changes changes;
  std::function<std::vector<Whole>(const std::vector<Row>& rows, int group, std::uint32_t rows_of_a_unit)> exact;
};

// The states of a group's units, limited and added up.
template <class S>
S total_of(const std::vector<Row>& rows, int group, std::uint32_t limit) {
  std::map<int, S> units;
  for (const Row& row : rows) {
    if (row.group != group) continue;
    S& unit = units.try_emplace(row.unit).first->second;
    unit.tag = S::kTag;
    if constexpr (requires { unit.add(row.steps); }) {
      unit.add(row.steps);
    } else {
      unit.add();
    }
  }
  S total{};
  for (auto& [number, unit] : units) {
    limit_unit(unit, limit, kSteps);
    total.merge(unit);
  }
  return total;
}

const std::vector<Aggregate> kAggregates = {
    {"count", Changes::one(1),
     [](const auto& rows, int group, std::uint32_t limit) {
       return std::vector<Whole>{static_cast<Int128>(total_of<CountState>(rows, group, limit).rows)};
     }},
    {"sum", Changes::one(20),
     [](const auto& rows, int group, std::uint32_t limit) {
       return std::vector<Whole>{static_cast<Int128>(total_of<SumState>(rows, group, limit).total)};
     }},
    {"avg", Changes::sharing(2, 20),
     [](const auto& rows, int group, std::uint32_t limit) {
       const MeanPair pair = mean_pair(total_of<MeanState>(rows, group, limit), kSteps.high);
       return std::vector<Whole>{pair.above, pair.below};
     }},
    {"variance", Changes::sharing(3, 400),
     [](const auto& rows, int group, std::uint32_t limit) {
       const MomentTriple triple = moment_triple(total_of<MomentsState>(rows, group, limit), kSteps.high);
       return std::vector<Whole>{triple.above, triple.mixed, triple.below};
     }},
};

// Of a unit with too many groups some count: by an order that depends on nothing but the unit's own rows and a key.
std::vector<Row> with_chosen_groups(const std::vector<Row>& rows, std::uint32_t groups, std::uint64_t key) {
  std::map<int, std::vector<int>> of_units;
  for (const Row& row : rows) of_units[row.unit].push_back(row.group);
  const auto rank = [key](int unit, int group) {
    std::minstd_rand hash(
        static_cast<std::uint32_t>(key ^ (static_cast<std::uint64_t>(unit) << 8) ^ static_cast<std::uint64_t>(group)));
    hash.discard(2);
    return hash();
  };
  for (auto& [unit, in] : of_units) {
    std::sort(in.begin(), in.end(), [&, unit = unit](int a, int b) { return rank(unit, a) < rank(unit, b); });
    in.erase(std::unique(in.begin(), in.end()), in.end());
    in.resize(std::min<std::size_t>(in.size(), groups));
  }
  std::vector<Row> chosen;
  for (const Row& row : rows) {
    const auto& in = of_units[row.unit];
    if (std::find(in.begin(), in.end(), row.group) != in.end()) chosen.push_back(row);
  }
  return chosen;
}

struct Replayed {
  std::vector<Whole> exact, noisy;
  std::uint64_t bits_used;
};

Replayed answer(const std::vector<Row>& rows, const Aggregate& aggregate, const mechanism::Calibration& calibration,
                const Contribution& unit, std::uint64_t key) {
  Replayed replayed;
  test::SeededBits bits(key, 1);
  const auto chosen = with_chosen_groups(rows, unit.groups, key);
  for (int group = 0; group < kGroups; ++group) {
    const std::vector<Whole> exact = aggregate.exact(chosen, group, unit.rows_per_group);
    std::vector<Whole> noisy(exact.size());
    noised({exact.data(), exact.size()}, calibration, bits, noisy.data());
    replayed.exact.insert(replayed.exact.end(), exact.begin(), exact.end());
    replayed.noisy.insert(replayed.noisy.end(), noisy.begin(), noisy.end());
  }
  replayed.bits_used = bits.used();
  return replayed;
}

// Unit 99 has far more rows than count, in all groups.
std::vector<Row> some_rows(std::mt19937_64& random) {
  const auto steps = [&random] { return static_cast<std::int64_t>(random() % 21); };
  std::vector<Row> rows;
  for (int n = 0; n < 300; ++n)
    rows.push_back({static_cast<int>(random() % 12), static_cast<int>(random() % kGroups), steps()});
  for (int n = 0; n < 50; ++n) rows.push_back({99, n % kGroups, n % 2 == 0 ? kSteps.high : steps()});
  std::shuffle(rows.begin(), rows.end(), random);
  return rows;
}

void expect_neighbours(const Aggregate& aggregate, const char* mechanism, const Contribution& unit,
                       std::mt19937_64& random) {
  const Changes changes = aggregate.changes.by_unit(unit, aggregate.changes.coordinates);
  const auto calibration = mechanism::calibrate(mechanism::parse(mechanism), mechanism::Epsilon::from(1), changes,
                                                mechanism::Lattice::integer);
  for (int i = 0; i < 10; ++i) {
    const std::vector<Row> rows = some_rows(random);
    std::vector<Row> without = rows;
    std::erase_if(without, [](const Row& row) { return row.unit == 99; });
    const std::uint64_t key = random();
    const Replayed with = answer(rows, aggregate, calibration, unit, key);
    const Replayed neighbour = answer(without, aggregate, calibration, unit, key);
    ASSERT_EQ(with.bits_used, neighbour.bits_used);
    Uint128 l1 = 0, linf = 0;
    unsigned coordinates = 0;
    double squares = 0;
    for (std::size_t c = 0; c < with.exact.size(); ++c) {
      const Int128 off = with.exact[c] - neighbour.exact[c];
      ASSERT_TRUE(with.noisy[c] - neighbour.noisy[c] == off * (Int128{1} << calibration.refinement));
      const auto size = static_cast<Uint128>(off < 0 ? -off : off);
      l1 += size;
      linf = std::max(linf, size);
      coordinates += size > 0;
      squares += static_cast<double>(size) * static_cast<double>(size);
    }
    EXPECT_LE(l1, changes.l1);
    EXPECT_GE(l1 * 4, changes.l1) << "the unit is meant to be seen";
    EXPECT_LE(linf, changes.linf);
    EXPECT_LE(coordinates, changes.coordinates);
    EXPECT_LE(std::sqrt(squares), static_cast<double>(changes.l2) * (1 + 1e-12));
  }
}

TEST(UnitReplay, TheSameBitsOnDataWithoutOneUnit) {
  std::mt19937_64 random(7);
  for (const std::uint32_t groups : {1u, 3u}) {
    for (const std::uint32_t each : {1u, 3u}) {
      for (const Aggregate& aggregate : kAggregates) {
        for (const char* mechanism : {"geometric", "laplace", "staircase", "gaussian(delta=1e-6)"}) {
          SCOPED_TRACE(std::string(aggregate.name) + ", " + mechanism + ", " + std::to_string(groups) + " groups of " +
                       std::to_string(each));
          expect_neighbours(aggregate, mechanism, {groups * each, groups, each}, random);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dp::aggregate
