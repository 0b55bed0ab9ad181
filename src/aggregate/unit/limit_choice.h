// What an aggregate keeps of privacy units whose limit is chosen once all of them are known
// (core/accumulate/chosen_limit.h).
//
// Aggregates over rows that exclude each other, the arms of a family, have one limit together: what a unit has in all
// of them and in all groups is its magnitude, and is limited to it. To privacy arms are what groups are.
#pragma once

#include "core/accumulate/limited_totals.h"
#include "pg/server.h"

namespace dp::aggregate {

struct LimitChoice {
  LimitScale scale;
  Tag tag;
  std::uint64_t groups;
  MemoryContext memory;
  int before;          // how many aggregates of the node have their limits in choices made before this one
  std::uint64_t arms;  // aggregates that it is for
  int unanswered;      // of these, those whose totals are to be filled in
  std::uint64_t units[LimitScale::kMost + 1];  // how many have a magnitude in each bin
  // LimitedTotals of each group of each arm, one behind the other; nullptr before the first unit and after the last arm.
  char* totals;
  bool chosen;
  ChosenLimit limit;  // that was
  // Of the unit that is added (unit_choices.h): its bin, and whether all it has is in one group of one arm.
  int bin;
  bool alone;

  // Before units are added.
  void begin() {
    if (totals != nullptr) return;
    const Size bytes = arms * groups * LimitedTotals::bytes(scale, tag);
    totals = static_cast<char*>(MemoryContextAllocHuge(memory, bytes + 1));
    std::memset(totals, 0, bytes);
  }

  LimitedTotals totals_of(std::uint64_t arm, std::uint64_t group) const {
    return {scale, tag, totals + (arm * groups + group) * LimitedTotals::bytes(scale, tag)};
  }

  // A unit whose rows are all in one group, where there is one arm, and of which `rows` may count at most: what was kept
  // of it may be what these add up to already (narrow_record.h). One of no magnitude adds nothing, and is in no bin.
  template <class S>
  void add(S& unit, std::uint32_t rows, const RowSteps& row) {
    limit_state(unit, rows, row);
    const Uint128 magnitude = magnitude_of(unit);
    if (magnitude == 0) return;
    const int bin = scale.bin_of(magnitude);
    ++units[bin];
    begin();
    totals_of(0, 0).add_alone(unit, bin, row);
  }
};

}  // namespace dp::aggregate
