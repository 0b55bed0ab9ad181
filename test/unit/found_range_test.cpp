// Ranges that are found privately: what one row changes of every utility, and how near they come where rows are
// enough.
#include "core/accumulate/found_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "support/bits.h"

namespace dp::aggregate {
namespace found_range_tests {

constexpr std::int64_t kMost = std::int64_t{1} << 62;
const OpenGrid kGrid = OpenGrid::make(24, -kMost, kMost);

std::vector<std::uint32_t> points_of(const std::vector<std::int64_t>& values) {
  std::vector<std::uint32_t> points;
  for (const std::int64_t value : values) points.push_back(static_cast<std::uint32_t>(kGrid.point(value)));
  std::sort(points.begin(), points.end());
  return points;
}

FoundRange range_of(const std::vector<std::int64_t>& values, double epsilon, noise::BitSource& bits,
                    unsigned at_once = 1) {
  const auto points = points_of(values);
  return find_range(PointsInMemory(points), kGrid, {static_cast<std::uint64_t>(epsilon * 1e9)}, at_once, bits);
}

TEST(FoundRange, WindowsAreConsecutiveAndOfAllSizesOfFewDigits) {
  std::map<int, int> windows;
  for (const Window& window : windows_of(20)) {
    ++windows[window.cells()];
    EXPECT_GE(window.first, 0);
    EXPECT_LT(window.last, 20);
  }
  const std::map<int, int> expected{{1, 20}, {2, 19},  {3, 18}, {4, 17}, {5, 16}, {6, 15}, {7, 14},
                                    {8, 13}, {10, 11}, {12, 9}, {14, 7}, {16, 5}, {20, 1}};
  EXPECT_EQ(windows, expected);
}

// By enumeration: a row more in any cell takes nothing or its parts off every utility. So a choice by permute-and-flip
// loses its rate, and no more.
TEST(FoundRange, ARowTakesOneOrNothingOfEveryWindow) {
  const auto windows = windows_of(4);
  const std::vector<noise::Utility> penalties{0, 3, 5, 6};
  std::vector<std::uint64_t> rows(4);
  for (int state = 0; state < 81; ++state) {
    for (int i = 0, rest = state; i < 4; ++i, rest /= 3)
      rows[static_cast<std::size_t>(i)] = static_cast<unsigned>(rest % 3);
    const auto before = window_utilities(rows, windows, penalties);
    for (std::size_t cell = 0; cell < 4; ++cell) {
      auto more = rows;
      ++more[cell];
      const auto after = window_utilities(more, windows, penalties);
      for (std::size_t i = 0; i < windows.size(); ++i) {
        const bool inside = windows[i].first <= static_cast<int>(cell) && static_cast<int>(cell) <= windows[i].last;
        EXPECT_EQ(static_cast<long long>(before[i] - after[i]), inside ? 0 : kPartsOfRow);
      }
    }
  }
}

TEST(FoundRange, HoldsTheRowsAndIsNotMuchWider) {
  test::SeededBits bits(1);
  const std::pair<std::int64_t, std::int64_t> ranges[] = {
      {1990, 2020}, {0, 100}, {-300, -100}, {-5, 5}, {1'000'000'000, 9'000'000'000'000}, {-4000, 100}};
  for (const auto& [from, to] : ranges) {
    std::vector<std::int64_t> values;
    for (int i = 0; i < 20'000; ++i)
      values.push_back(from + (to - from + 1) / 20'000 * i + (to - from + 1) % 20'000 * i / 20'000);
    for (int round = 0; round < 10; ++round) {
      const FoundRange range = range_of(values, 1, bits);
      const double width = static_cast<double>(to - from);
      EXPECT_LT(range.lower, static_cast<double>(from) + width / 20) << from;
      EXPECT_GT(range.upper, static_cast<double>(to) - width / 20) << from;
      EXPECT_LT(range.upper - range.lower, std::fmax(4 * width, static_cast<double>(std::abs(to)) / 8)) << from;
    }
  }
}

// Rows beyond a grid's cells, of either sign, draw no window to them.
TEST(FoundRange, LeavesOutAFewFarRows) {
  test::SeededBits bits(2);
  std::vector<std::int64_t> values(20'000);
  for (int i = 0; i < 20'000; ++i) values[static_cast<std::size_t>(i)] = i % 1000;
  for (int i = 0; i < 5; ++i) values.insert(values.end(), {kMost / 2, -kMost / 2});
  for (int round = 0; round < 10; ++round) {
    const FoundRange range = range_of(values, 1, bits);
    EXPECT_LT(range.upper, 5000);
    EXPECT_GT(range.lower, -5000);
    EXPECT_GE(range.greatest, 512);
  }
}

TEST(FoundRange, NeedsMoreRowsWhereMoreChangeAtOnce) {
  test::SeededBits bits(3);
  std::vector<std::int64_t> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1000 + i);
  const auto found = [&](unsigned at_once) {
    int well = 0;
    for (int round = 0; round < 50; ++round) {
      const FoundRange range = range_of(values, 1, bits, at_once);
      well += range.lower < 1100 && range.upper > 1900 && range.upper < 8000 ? 1 : 0;
    }
    return well;
  };
  EXPECT_GT(found(1), 45);
  EXPECT_LT(found(200), 10);
}

// Two heaps of rows far from each other, of which one has four more: at epsilon / 2 the magnitude of the other one is
// taken by permute-and-flip with probability e^-2 / 2, about; were it epsilon, with e^-4 / 2.
TEST(FoundRange, HalfOfEpsilonIsForEachChoice) {
  test::SeededBits bits(5);
  std::vector<std::int64_t> values(40, 100);
  values.insert(values.end(), 44, 1'000'000'000'000);
  int count = 0;
  for (int round = 0; round < 1000; ++round) count += range_of(values, 1, bits).greatest < 1e6 ? 1 : 0;
  EXPECT_GT(count, 40);
  EXPECT_LT(count, 120);
}

TEST(FoundRange, IsARangeWithoutRowsAndOfOneValue) {
  test::SeededBits bits(4);
  for (int round = 0; round < 20; ++round) {
    const FoundRange nobody = range_of({}, 1, bits);
    EXPECT_LT(nobody.lower, nobody.upper);
    EXPECT_LE(nobody.upper, 1.01 * nobody.greatest);
    const FoundRange zeros = range_of(std::vector<std::int64_t>(1000, 0), 1, bits);
    EXPECT_LT(zeros.lower, 0);
    EXPECT_GT(zeros.upper, 0);
    EXPECT_LT(zeros.upper - zeros.lower, 1);
  }
}

}  // namespace found_range_tests
}  // namespace dp::aggregate
