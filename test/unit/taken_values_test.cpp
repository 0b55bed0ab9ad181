// Different values of privacy units, each counted for one of them: what a unit can change, and how many are taken.
#include "core/accumulate/taken_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <vector>

namespace dp::test {
namespace {

using aggregate::TakenValues;
using Units = std::vector<std::vector<std::uint64_t>>;

// The number of values taken, with the memory that a partition of a window has.
std::int64_t taken(const Units& units, std::int64_t most, TakenValues values = TakenValues()) {
  std::int64_t count = 0;
  void* memory = nullptr;
  for (const auto& unit : units) {
    values.begin_unit(most);
    for (const std::uint64_t hash : unit) {
      if (const std::size_t bytes = values.bytes_needed(); bytes > 0) {
        void* const old = values.move_to(memory = std::calloc(bytes, 1));
        std::free(old);
      }
      count += values.take(hash) ? 1 : 0;
    }
  }
  std::free(memory);
  return count;
}

// The values of a set of numbers below 4, in their order, and the hash of each: two have the same first bit.
std::vector<std::uint64_t> values_in(unsigned set) {
  std::vector<std::uint64_t> values;
  for (unsigned value = 0; value < 4; ++value) {
    if (set >> value & 1) values.push_back(std::uint64_t{value} << 62 | (value + 1));
  }
  return values;
}

// All tables of four units and four values, and each without one of its units.
template <class Check>
void for_all_neighbours(TakenValues values, Check check) {
  for (unsigned sets = 0; sets < 1u << 16; ++sets) {
    Units units;
    for (int i = 0; i < 4; ++i) units.push_back(values_in(sets >> 4 * i & 15));
    for (int most = 1; most <= 3; ++most) {
      const std::int64_t with = taken(units, most, values);
      for (std::ptrdiff_t left_out = 0; left_out < 4; ++left_out) {
        Units without = units;
        without.erase(without.begin() + left_out);
        check(with - taken(without, most, values), most);
      }
    }
  }
}

TEST(TakenValues, OneUnitAddsAtMostWhatItMayTake) {
  std::int64_t least = 0, greatest = 0;
  for_all_neighbours(TakenValues(), [&](std::int64_t change, int most) {
    ASSERT_GE(change, 0);
    ASSERT_LE(change, most);
    least = std::min(least, change);
    greatest = std::max(greatest, change);
  });
  EXPECT_EQ(greatest, 3);
}

// The same where only first bits are kept of what is beyond one or two values.
TEST(TakenValues, OneUnitChangesAsMuchBeyondTheMemory) {
  for (const std::uint64_t kept : {1, 2, 3}) {
    for (const int bits : {1, 2}) {
      for_all_neighbours(TakenValues(kept, bits),
                         [&](std::int64_t change, int most) { ASSERT_LE(std::abs(change), most); });
    }
  }
}

// More values and units, at random.
TEST(TakenValues, OneUnitChangesAsMuchInLargerTables) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    Units units(8);
    for (auto& unit : units) {
      for (std::uint64_t value = 0; value < 12; ++value) {
        if (random() % 3 == 0) unit.push_back(value << 60 | 1);
      }
    }
    const auto most = static_cast<std::int64_t>(random() % 4 + 1);
    const TakenValues values(random() % 8 + 1, static_cast<int>(random() % 4 + 1));
    Units without = units;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(random() % units.size()));
    ASSERT_LE(std::abs(taken(units, most, values) - taken(without, most, values)), most);
    const std::int64_t added = taken(units, most) - taken(without, most);
    ASSERT_GE(added, 0);
    ASSERT_LE(added, most);
  }
}

// 1 - 1/e of a largest assignment, on average over the hashes: here that has all 40 values.
TEST(TakenValues, FewValuesAreLeft) {
  std::mt19937_64 random(11);
  double sum = 0;
  constexpr int kRounds = 2'000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::uint64_t> hashes(40);
    for (auto& hash : hashes) hash = random();
    Units units(20);
    for (std::size_t i = 0; i < units.size(); ++i) {
      // Value 2i and 2i+1 are the unit's, and it has some of the first ones, which all others have.
      units[i] = {hashes[2 * i], hashes[2 * i + 1]};
      for (std::size_t j = 0; j < 2 * i; ++j) units[i].push_back(hashes[j]);
      std::ranges::sort(units[i]);
    }
    std::ranges::shuffle(units, random);
    sum += static_cast<double>(taken(units, 2));
  }
  EXPECT_GT(sum / kRounds, 0.63 * 40);
}

// None is lost or counted twice while the memory grows, and beyond it few are.
TEST(TakenValues, CountsAllThatUnitsMayTake) {
  std::mt19937_64 random(3);
  Units units(50'000, std::vector<std::uint64_t>(2));
  for (auto& unit : units) unit = {random(), random()};
  units.push_back(units.front());
  units.push_back({0});
  units.push_back({1});  // which it is not told from
  EXPECT_EQ(taken(units, 2), 100'001);
  EXPECT_EQ(taken(units, 1), 50'002);
  EXPECT_NEAR(static_cast<double>(taken(units, 2, TakenValues(10'000, 24))), 100'000 - 1e10 / (1 << 25), 120);
}

TEST(TakenValues, NothingIsTakenByAUnitThatMayTakeNothing) {
  EXPECT_EQ(taken({{1, 2}, {3}}, 0), 0);
  EXPECT_EQ(taken({}, 3), 0);
}

}  // namespace
}  // namespace dp::test
