#include "core/accounting/relax_rule.h"

#include <algorithm>

namespace dp::budget {

PathStep step_to(std::span<const mechanism::Epsilon> levels, mechanism::Epsilon epsilon) {
  const auto [coarsest, finest] = std::minmax_element(levels.begin(), levels.end());
  if (epsilon > *finest) return {PathStep::Kind::relax, epsilon, *finest};
  if (epsilon < *coarsest) return {PathStep::Kind::tighten, epsilon, *coarsest};
  mechanism::Epsilon next_coarser = *coarsest;
  for (const mechanism::Epsilon level : levels) {
    if (level <= epsilon) next_coarser = std::max(next_coarser, level);
  }
  return {PathStep::Kind::existing, next_coarser, next_coarser};
}

}  // namespace dp::budget
