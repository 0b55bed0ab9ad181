// Which groups of one privacy unit count, and how many of its rows in each.
#pragma once

#include <cstdint>
#include <span>

#include "core/noise/bit_source.h"

namespace dp::aggregate {

// What may count of a unit: so many rows in all, so many groups, so many rows in each of them. 0: no such limit.
struct GroupLimits {
  std::uint32_t rows = 0;
  std::uint32_t groups = 0;
  std::uint32_t rows_per_group = 0;

  // Whether what counts in one group depends on the unit's other groups.
  bool couple() const { return rows > 0 || groups > 0; }
};

// One group of a unit.
struct GroupShare {
  void* group;
  std::uint64_t rows;  // that the unit has in it; once they are shared, as many as may count there
};

// Shares the limits among the groups of a unit, each of at least one row. What is returned is those that count, in any
// order; some of these may have no row. Where there are too many groups, all choices of so many are equally likely;
// where there are too many rows in the groups that count, each has its share of them, rounded at random so that they
// add up (share_of_rows in unit_state.h).
std::span<GroupShare> share_groups(std::span<GroupShare> groups, const GroupLimits& limits, noise::BitSource& bits);

}  // namespace dp::aggregate
