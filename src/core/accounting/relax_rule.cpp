#include "core/accounting/relax_rule.h"

#include <algorithm>

namespace dp::budget {

PathStep step_to(std::span<const std::int64_t> levels, std::int64_t epsilon) {
  const auto [coarsest, finest] = std::minmax_element(levels.begin(), levels.end());
  if (epsilon > *finest) return {PathStep::Kind::relax, epsilon, *finest};
  if (epsilon < *coarsest) return {PathStep::Kind::tighten, epsilon, *coarsest};
  std::int64_t next_coarser = *coarsest;
  for (const std::int64_t level : levels) {
    if (level <= epsilon) next_coarser = std::max(next_coarser, level);
  }
  return {PathStep::Kind::existing, next_coarser, next_coarser};
}

}  // namespace dp::budget
