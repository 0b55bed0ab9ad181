// Turning a monotone function round.
#pragma once

#include <cstdint>
#include <functional>

namespace dp::planning {

// The smallest whole number in (fails, holds] with `good`, if good(holds) and it is monotone.
template <class Good>
std::uint64_t bisect(std::uint64_t fails, std::uint64_t holds, Good good) {
  while (holds - fails > 1) {
    const std::uint64_t middle = fails + (holds - fails) / 2;
    (good(middle) ? holds : fails) = middle;
  }
  return holds;
}

// The smallest t with within(t) >= confidence, for a non-decreasing within(t), 0 <= t < infinity; exact to the last
// bit, so a whole number where the law lives on the integers. Infinity where there is none.
double quantile(const std::function<double(double)>& within, double confidence);

}  // namespace dp::planning
