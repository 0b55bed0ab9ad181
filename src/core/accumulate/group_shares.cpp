#include "core/accumulate/group_shares.h"

#include <algorithm>
#include <utility>

#include "core/accumulate/unit_state.h"
#include "core/noise/primitives.h"

namespace dp::aggregate {
namespace {

// Brings that many of them to the front, chosen at random and in a random order.
void shuffle(std::span<GroupShare> groups, std::size_t chosen, noise::BitSource& bits) {
  for (std::size_t i = 0; i < chosen; ++i)
    std::swap(groups[i], groups[i + static_cast<std::size_t>(noise::below(bits, groups.size() - i))]);
}

}  // namespace

std::span<GroupShare> share_groups(std::span<GroupShare> groups, const GroupLimits& limits, noise::BitSource& bits) {
  bool shuffled = false;
  if (limits.groups > 0 && groups.size() > limits.groups) {
    shuffle(groups, limits.groups, bits);
    groups = groups.first(limits.groups);
    shuffled = true;
  }
  std::uint64_t all = 0;
  for (GroupShare& group : groups) {
    if (limits.rows_per_group > 0) group.rows = std::min<std::uint64_t>(group.rows, limits.rows_per_group);
    all += group.rows;
  }
  if (limits.rows == 0 || all <= limits.rows) return groups;
  if (!shuffled) shuffle(groups, groups.size(), bits);
  const std::uint64_t key = bits.bits(64);
  std::int64_t up_to = 0, counted = 0;
  for (GroupShare& group : groups) {
    up_to += static_cast<std::int64_t>(group.rows);
    const std::int64_t before =
        std::exchange(counted, counted_rows(key, limits.rows, up_to, static_cast<std::int64_t>(all)));
    group.rows = static_cast<std::uint64_t>(counted - before);
  }
  return groups;
}

}  // namespace dp::aggregate
