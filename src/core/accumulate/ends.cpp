#include "core/accumulate/ends.h"

#include <algorithm>
#include <cmath>

namespace dp::aggregate {

std::vector<noise::Utility> end_utilities(std::span<const std::uint64_t> counts, End end, noise::Utility rank) {
  using noise::Utility;
  std::vector<Utility> utilities(counts.size());
  Utility through = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t point = end == End::least ? i : counts.size() - 1 - i;
    const Utility before = through;
    through += counts[point];
    utilities[point] = -std::max({Utility{0}, before - rank, rank - through});
  }
  return utilities;
}

noise::Utility end_rank(mechanism::Epsilon epsilon, std::size_t points, noise::Uint128 rows) {
  const double rank = 2 * static_cast<double>(rows) * std::log(20 * static_cast<double>(points)) / epsilon.value();
  return static_cast<noise::Utility>(std::ceil(std::max(rank, 1.0)));
}

}  // namespace dp::aggregate
