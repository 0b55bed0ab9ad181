// The discrete Gaussian law on the integers.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// P(x) proportional to e^{-x^2 / (2 sigma^2)}, sigma^2 = mantissa * 2^exponent exactly.
struct DiscreteGaussian {
  std::uint64_t mantissa;  // > 0
  int exponent;            // -200 <= exponent <= 200
  Uint128 proposal_scale;  // floor(sigma) + 1, the scale of the discrete Laplace that proposes

  // Throws std::invalid_argument outside the ranges above, or where sigma is 2^120 or more.
  static DiscreteGaussian with_variance(std::uint64_t mantissa, int exponent);

  // By gaussian_sampler.h, in 1024-bit integers that throw on overflow.
  Int128 sample(BitSource& bits) const;
};

}  // namespace dp::noise
