#include "core/noise/discrete_laplace.h"

#include "core/noise/geometric.h"
#include "core/noise/primitives.h"

namespace dp::noise {

Int128 DiscreteLaplace::sample(BitSource& bits) const {
  for (;;) {
    const bool negative = bits.bit();
    const Uint128 magnitude = geometric(bits, rate);
    if (negative && magnitude == 0) continue;  // zero has one sign only, or it would be drawn twice as often
    return signed_magnitude(negative, magnitude);
  }
}

}  // namespace dp::noise
