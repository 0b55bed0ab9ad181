// The discrete Laplace law on the integers.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// P(x) = (1-a)/(1+a) a^{|x|}, a = e^{-rate}, rate > 0. With rate = epsilon/D a shift by d costs exactly epsilon d/D:
// the loss is linear in the shift, so the law may be calibrated to the joint l1 sensitivity of several coordinates.
struct DiscreteLaplace {
  Ratio rate;

  Int128 sample(BitSource& bits) const;
};

}  // namespace dp::noise
