#include "core/accumulate/rank_bins.h"

#include <algorithm>

namespace dp::aggregate {
namespace {

using Uint128 = noise::Weight;

// Ranks at which bins begin, from 0 on, and one behind all of them.
std::vector<noise::Weight> begins(Uint128 all, std::span<const noise::Weight> targets, Uint128 width,
                                  std::uint64_t share) {
  std::vector<noise::Weight> ranks{0, all, all + 1};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Uint128 target = std::min(targets[i], all);
    const Uint128 down = i == 0 ? target : (target - std::min(targets[i - 1], all) + 1) / 2;
    const Uint128 up = i + 1 == targets.size() ? all - target : (std::min(targets[i + 1], all) - target + 1) / 2;
    Uint128 distance = (width + 1) / 2;
    while (distance <= std::max(down, up)) {
      if (distance <= down) ranks.push_back(target - distance);
      if (distance <= up) ranks.push_back(target + distance);
      distance += std::max<Uint128>({width, distance / share, 1});
    }
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

}  // namespace

std::vector<RankBin> rank_bins(const Candidates& candidates, std::span<const noise::Weight> targets, Uint128 width,
                               std::uint64_t share, std::uint64_t pieces, std::uint64_t row) {
  const std::vector<noise::Weight> ranks = begins(candidates.all_ranks(), targets, width, share);
  std::vector<std::uint64_t> ends, sizes;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    ends.push_back(candidates.with_before(ranks[i] - 1));
    sizes.push_back(ends[i - 1] - (i == 1 ? 0 : ends[i - 2]));
  }
  constexpr std::size_t kLarge = 8, kFew = 50, kMost = 1500;
  std::vector<std::uint64_t> largest = sizes;
  std::sort(largest.rbegin(), largest.rend());
  const std::uint64_t large = ranks.size() <= kFew ? 0 : largest[kLarge];
  const Uint128 near = 2 * static_cast<Uint128>(row);
  const auto is_crowded = [&](std::size_t i) {
    const auto first = std::lower_bound(targets.begin(), targets.end(), ranks[i] - std::min(ranks[i], near));
    return std::upper_bound(first, targets.end(), ranks[i + 1] + near) - first > 1;
  };
  std::uint64_t crowded = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) crowded += sizes[i] > 1 && is_crowded(i);
  const std::uint64_t few = std::clamp<std::uint64_t>(kMost / crowded, 1, pieces);
  std::vector<RankBin> bins;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::uint64_t begin = ends[i] - sizes[i];
    const std::uint64_t parts = std::min(sizes[i], sizes[i] >= large ? pieces : is_crowded(i) ? few : 1);
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto from = begin + static_cast<std::uint64_t>(static_cast<Uint128>(sizes[i]) * part / parts);
      const auto to = begin + static_cast<std::uint64_t>(static_cast<Uint128>(sizes[i]) * (part + 1) / parts);
      bins.push_back({from, to, candidates.ranks(from).before, candidates.ranks(to - 1).before});
    }
  }
  return bins;
}

}  // namespace dp::aggregate
