#include "core/noise/range_noise.h"

#include <algorithm>

#include "core/noise/primitives.h"

namespace dp::noise {

Int128 TruncatedGeneralisedGaussian::release(Int128 exact, BitSource& bits) const {
  const Int128 x = std::clamp<Int128>(exact, low, high);
  const auto width = static_cast<Uint128>(high - low);
  // Either way of proposing is exact, so a double may choose.
  const bool narrow = static_cast<double>(width) < noise.scale();
  for (;;) {
    if (narrow) {
      const Int128 y = low + static_cast<Int128>(below(bits, width + 1));
      if (noise.accepts(static_cast<Uint128>(y < x ? x - y : y - x), bits)) return y;
    } else {
      const Int128 drawn = noise.sample(bits);
      if (drawn >= low - x && drawn <= high - x) return x + drawn;
    }
  }
}

Int128 BoundaryInflatedGaussian::release(Int128 exact, BitSource& bits) const {
  const Int128 x = std::clamp<Int128>(exact, low, high);
  return x + std::clamp<Int128>(noise.sample(bits), low - x, high - x);
}

}  // namespace dp::noise
