// Bins of candidates by their ranks, for quantiles_together.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/accumulate/candidates.h"
#include "core/noise/selection.h"

namespace dp::aggregate {

// Consecutive candidates: from `begin` to before `end`, of ranks `low` to `high`, in parts of a row.
struct RankBin {
  std::uint64_t begin;
  std::uint64_t end;
  noise::Weight low;
  noise::Weight high;

  std::uint64_t size() const { return end - begin; }
};

// All candidates, in order. Near the targets, which ascend, bins are so wide as `width` or a `share`-th of the distance
// from the nearest one, whichever is more. Where several may be chosen in one bin it is divided into up to so many
// pieces: the bins with the most candidates, those within two rows of several targets, and all where bins are few.
std::vector<RankBin> rank_bins(const Candidates& candidates, std::span<const noise::Weight> targets,
                               noise::Weight width, std::uint64_t share, std::uint64_t pieces, std::uint64_t row);

}  // namespace dp::aggregate
