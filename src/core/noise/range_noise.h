// Laws of an answer that stays inside a declared range. They depend on the exact answer, so they are not an addend:
// release() takes the exact integer, clamps it into the range and returns the noisy one.
#pragma once

#include "core/noise/generalised_gaussian.h"

namespace dp::noise {

// P(y) proportional to e^{-(|y - x|/b)^power} on low..high, x the exact answer clamped into that range.
// -2^120 <= low < high <= 2^120.
struct TruncatedGeneralisedGaussian {
  GeneralisedGaussian noise;
  Int128 low;
  Int128 high;

  // Exact rejection. A range narrower than b is proposed from uniformly: then every y is accepted with a probability of
  // at least e^{-1}. In a wider one x + noise is drawn until it lies inside, which one side of x does for half of the
  // draws. The number of proposals depends on x, as it must for any sampler by rejection.
  Int128 release(Int128 exact, BitSource& bits) const;
};

// clamp(x + noise) to low..high: what falls outside is put on the boundary. x and the range are as above.
struct BoundaryInflatedGaussian {
  GeneralisedGaussian noise;
  Int128 low;
  Int128 high;

  Int128 release(Int128 exact, BitSource& bits) const;
};

}  // namespace dp::noise
