// What an aggregate keeps of privacy units whose limit is chosen once all of them are known
// (core/accumulate/chosen_limit.h).
#pragma once

#include "core/accumulate/limited_totals.h"
#include "pg/server.h"

namespace dp::aggregate {

struct LimitChoice {
  LimitScale scale;
  Tag tag;
  std::uint64_t groups;
  MemoryContext memory;
  std::uint64_t units[LimitScale::kMost + 1];  // how many have a magnitude in each bin
  // LimitedTotals of each group, one behind the other; nullptr before the first unit and once it is chosen.
  char* totals;
  bool chosen;
  double cut;  // as ChosenLimit has it; so `found`
  bool found;

  // Before units are added.
  void begin() {
    if (totals != nullptr) return;
    const Size bytes = groups * LimitedTotals::bytes(scale, tag);
    totals = static_cast<char*>(MemoryContextAllocHuge(memory, bytes + 1));
    std::memset(totals, 0, bytes);
  }

  LimitedTotals totals_of(std::uint64_t group) const {
    return {scale, tag, totals + group * LimitedTotals::bytes(scale, tag)};
  }

  // A unit whose rows are all in one group, and of which `rows` may count at most: what was kept of it may be what these
  // add up to already (narrow_record.h). One of no magnitude adds nothing, and is in no bin.
  template <class S>
  void add(S& unit, std::uint32_t rows, const RowSteps& row) {
    limit_state(unit, rows, row);
    const Uint128 magnitude = magnitude_of(unit);
    if (magnitude == 0) return;
    const int bin = scale.bin_of(magnitude);
    ++units[bin];
    begin();
    totals_of(0).add_alone(unit, bin, row);
  }
};

}  // namespace dp::aggregate
