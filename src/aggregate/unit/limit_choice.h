// What an aggregate keeps of privacy units whose limit is chosen once all of them are known
// (core/accumulate/chosen_limit.h).
//
// Aggregates over rows that exclude each other, the arms of a family, have one limit together: what a unit has in all
// of them and in all groups is its magnitude, and is limited to it. To privacy arms are what groups are.
#pragma once

#include "core/accumulate/limited_totals.h"
#include "core/mechanism/epsilon_delta.h"
#include "pg/server.h"

namespace dp::aggregate {

// Aggregates about the same rows of each unit, such as the averages of two columns, have limits of their own, but these
// are computed from the same noisy counts of units, which are drawn once: those of the first of them. In its counts a
// unit is in one bin, whatever it has for the others; so they cost what they cost the first alone, and all limits that
// are computed from them cost nothing more. That the rows are the same, privacy does not depend on.
struct LimitChoice {
  LimitScale scale;
  Tag tag;
  std::uint64_t groups;
  MemoryContext memory;
  int before = 0;          // how many aggregates of the node have their limits in choices made before this one
  std::uint64_t arms = 0;  // aggregates that it is for
  int unanswered = 0;      // of these, those whose totals are to be filled in
  std::uint64_t units[LimitScale::kMost + 1] = {};  // how many have a magnitude in each bin
  // LimitedTotals of each group of each arm, one behind the other; nullptr before the first unit and after the last arm.
  char* totals = nullptr;
  LimitChoice* counts = nullptr;  // whose noisy counts it is chosen from: its own, or those of the first of several
  mechanism::Epsilon counted;     // what is spent on these, in that one
  Int128 noisy[LimitScale::kMost + 1] = {};  // and they, in that one, once they are drawn
  bool drawn = false;
  bool chosen = false;
  ChosenLimit limit = {};  // that was
  // Of the unit that is added (unit_choices.h): its bin, and whether all it has is in one group of one arm.
  int bin = 0;
  bool alone = false;
  bool sent = false;  // how many units are in each bin has gone to another server

  // Before units are added.
  void begin() {
    if (totals != nullptr) return;
    const Size bytes = arms * groups * LimitedTotals::bytes(scale, tag);
    totals = static_cast<char*>(MemoryContextAllocHuge(memory, bytes + 1));
    std::memset(totals, 0, bytes);
  }

  // Of all its groups; nullptr where there are none.
  char* totals_of_arm(std::uint64_t arm) const {
    return totals == nullptr ? nullptr : totals + arm * groups * LimitedTotals::bytes(scale, tag);
  }

  LimitedTotals totals_of(std::uint64_t arm, std::uint64_t group) const {
    return {scale, tag, totals_of_arm(arm) + group * LimitedTotals::bytes(scale, tag)};
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
