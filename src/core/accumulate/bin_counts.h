// The noisy counts of units by their magnitudes, in the scale of their noise, and where their bins are.
#pragma once

#include "core/accumulate/limit_scale.h"

namespace dp::aggregate {

struct BinCounts {
  const LimitScale& scale;
  noise::Int128View units;
  double counted;

  double count(int bin) const { return static_cast<double>(units[static_cast<std::size_t>(bin)]) * counted; }

  double limit(int number) const { return static_cast<double>(scale.limit(number)); }

  double middle(int bin) const {
    if (bin == 0) return limit(0);
    return bin == scale.size() ? 1.5 * limit(bin - 1) : (limit(bin - 1) + limit(bin)) / 2;
  }

  // As a part of the middle.
  double width(int bin) const {
    if (bin == 0) return 1;
    return (bin == scale.size() ? limit(bin - 1) : limit(bin) - limit(bin - 1)) / middle(bin);
  }
};

}  // namespace dp::aggregate
