// The discrete Laplace law, cut off on both sides.
#pragma once

#include "core/noise/discrete_laplace.h"

namespace dp::noise {

// P(x) proportional to e^{-rate |x|} on -bound .. bound. bound < 2^126, and rate.num bound < 2^126, or drawing throws
// std::overflow_error.
struct TruncatedLaplace {
  DiscreteLaplace whole;
  Uint128 bound;

  // Exact rejection, from the uniform law where the cut one is nearly flat and else from the whole law: each try
  // succeeds with a probability above e^{-1}, whatever the rate and the bound.
  Int128 sample(BitSource& bits) const;
};

}  // namespace dp::noise
