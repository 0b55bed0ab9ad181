#include "core/planning/quantile.h"

#include <bit>
#include <limits>

#include "core/noise/interrupt.h"

namespace dp::planning {

double quantile(const std::function<double(double)>& within, double confidence) {
  if (within(0) >= confidence) return 0;
  double high = 1;
  while (within(high) < confidence) {
    high *= 2;
    if (high > 1e300) return std::numeric_limits<double>::infinity();
  }
  // The bit patterns of non-negative doubles are in the order of their values.
  const auto holds = [&](std::uint64_t bits) {
    noise::check_interrupt();
    return within(std::bit_cast<double>(bits)) >= confidence;
  };
  return std::bit_cast<double>(bisect(0, std::bit_cast<std::uint64_t>(high), holds));
}

}  // namespace dp::planning
