#include "noise/staircase.h"

#include "noise/geometric.h"
#include "noise/primitives.h"

namespace dp::noise {

Int128 Staircase::sample(BitSource& bits) const {
  for (;;) {
    const bool negative = bits.bit();
    const Uint128 stair = geometric(bits, epsilon);
    Uint128 position;
    do {
      position = below(bits, width);
    } while (position >= step && !bernoulli_exp(bits, epsilon.num, epsilon.den));
    const Uint128 magnitude = checked_add(checked_mul(stair, width), position);
    if (negative && magnitude == 0) continue;
    return signed_magnitude(negative, magnitude);
  }
}

}  // namespace dp::noise
