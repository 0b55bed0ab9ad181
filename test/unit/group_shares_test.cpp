// What counts of one unit in its groups: never above the limits, all choices of groups alike, and shares that add up.
#include "core/accumulate/group_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "support/bits.h"

namespace dp::aggregate {
namespace {

using test::SeededBits;

// The shares of the groups that count, by group; groups have the numbers of their rows.
class Shares {
 public:
  Shares(const std::vector<std::uint64_t>& rows, const GroupLimits& limits, noise::BitSource& bits) : rows_(rows) {
    std::vector<GroupShare> groups;
    for (const std::uint64_t& of_group : rows_) groups.push_back({const_cast<std::uint64_t*>(&of_group), of_group});
    for (const GroupShare& group : share_groups(groups, limits, bits))
      counted_[static_cast<std::uint64_t*>(group.group) - rows_.data()] = group.rows;
  }

  const std::map<std::int64_t, std::uint64_t>& counted() const { return counted_; }

  std::uint64_t sum() const {
    return std::accumulate(counted_.begin(), counted_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& group) { return sum + group.second; });
  }

 private:
  std::vector<std::uint64_t> rows_;
  std::map<std::int64_t, std::uint64_t> counted_;
};

TEST(GroupShares, WithoutLimitsAreAllRows) {
  SeededBits bits(1);
  const Shares shares({3, 1, 2}, {}, bits);
  EXPECT_EQ(shares.counted(), (std::map<std::int64_t, std::uint64_t>{{0, 3}, {1, 1}, {2, 2}}));
}

TEST(GroupShares, KeepEveryLimit) {
  SeededBits bits(2);
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint64_t> rows(1 + random() % 12);
    for (std::uint64_t& of_group : rows) of_group = 1 + random() % (random() % 4 == 0 ? 1000 : 4);
    const GroupLimits limits{static_cast<std::uint32_t>(random() % 9), static_cast<std::uint32_t>(random() % 6),
                             static_cast<std::uint32_t>(random() % 5)};
    const Shares shares(rows, limits, bits);
    const std::size_t groups = limits.groups == 0 ? rows.size() : std::min<std::size_t>(rows.size(), limits.groups);
    EXPECT_EQ(shares.counted().size(), groups);
    std::uint64_t all = 0;
    for (const auto& [group, counts] : shares.counted()) {
      const std::uint64_t most =
          limits.rows_per_group == 0 ? rows[group] : std::min<std::uint64_t>(rows[group], limits.rows_per_group);
      EXPECT_LE(counts, most);
      all += most;
    }
    // With a limit of rows, as many as it lets through and no less.
    EXPECT_EQ(shares.sum(), limits.rows == 0 ? all : std::min<std::uint64_t>(all, limits.rows));
  }
}

TEST(GroupShares, ChooseAllGroupsAlike) {
  SeededBits bits(3);
  std::map<std::set<std::int64_t>, int> chosen;
  constexpr int kTimes = 60000;
  for (int i = 0; i < kTimes; ++i) {
    std::set<std::int64_t> groups;
    const Shares shares({9, 1, 1, 5}, {0, 2, 1}, bits);
    for (const auto& group : shares.counted()) groups.insert(group.first);
    ++chosen[groups];
  }
  EXPECT_EQ(chosen.size(), 6u);
  for (const auto& [groups, times] : chosen) EXPECT_NEAR(times, kTimes / 6, 600);  // 6.5 standard deviations
}

// Each group's share is that of its rows on average, rounded to one of the two whole numbers beside it.
TEST(GroupShares, AreThoseOfTheRows) {
  SeededBits bits(4);
  constexpr int kTimes = 40000;
  const std::vector<std::uint64_t> rows{7, 2, 1, 3};
  std::vector<double> sum(rows.size());
  for (int i = 0; i < kTimes; ++i) {
    const Shares shares(rows, {5, 0, 0}, bits);
    for (const auto& [group, counts] : shares.counted()) {
      sum[group] += static_cast<double>(counts);
      const double share = 5.0 * static_cast<double>(rows[group]) / 13;
      EXPECT_LT(std::abs(static_cast<double>(counts) - share), 1);
    }
  }
  for (std::size_t group = 0; group < rows.size(); ++group)
    EXPECT_NEAR(sum[group] / kTimes, 5.0 * static_cast<double>(rows[group]) / 13, 0.016);  // 6 standard deviations
}

}  // namespace
}  // namespace dp::aggregate
