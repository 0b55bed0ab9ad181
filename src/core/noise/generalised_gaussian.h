// The generalised Gaussian law on the integers.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// P(x) proportional to e^{-(|x|/b)^power}, b = mantissa * 2^exponent exactly: power 1 is the discrete Laplace of scale
// b, power 2 the discrete Gaussian of variance b^2/2; a greater power gives a flatter top and lighter tails.
struct GeneralisedGaussian {
  static constexpr unsigned kMaxPower = 16;
  static constexpr int kMantissaBits = 32;
  static constexpr int kMaxExponent = 80;  // b < 2^112, and a draw beyond 2^127 has a probability below e^-2^15

  unsigned power;          // 1..kMaxPower
  std::uint64_t mantissa;  // 1..2^32-1
  int exponent;            // -kMaxExponent..kMaxExponent
  Uint128 proposal_scale;  // the smallest t >= 1 with power * t^power >= b^power

  // Throws std::invalid_argument outside the ranges above.
  static GeneralisedGaussian with_scale(unsigned power, std::uint64_t mantissa, int exponent);

  double scale() const;  // b, exactly

  // Rejection from the discrete Laplace of scale t, in 4096-bit integers that throw on overflow: y is accepted with
  // probability e^{-((|y|/b)^p - |y|/t + 1 - 1/p)}.
  // Proof that the exponent is never positive: with v = p^{1/p} |y|/b, Young's inequality says v <= v^p/p + 1 - 1/p,
  // and |y|/t <= v because t >= b p^{-1/p}. More than one proposal in six is accepted. For p = 2 this is the sampler of
  // Canonne, Kamath, Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
  Int128 sample(BitSource& bits) const;

  // True with probability exactly e^{-(distance/b)^power}.
  bool accepts(Uint128 distance, BitSource& bits) const;
};

}  // namespace dp::noise
