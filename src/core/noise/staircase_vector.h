// The staircase law on vectors of integers.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// P(x) proportional to a^{N(|x|)}, a = e^{-epsilon}, |x| the sum of absolute coordinates and N the number of stairs
// below it: 0 for |x| < step, else 1 + floor((|x| - step) / width). 1 <= step <= width.
//
// Proof that a change of the vector by v with |v| <= width costs epsilon at most: |x + v| differs from |x| by at most
// width, over which N grows by at most one. That is for all coordinates of one draw together: drawn one by one, each at
// this epsilon, they would lose it once for each. Source: Geng, Kairouz, Oh, Viswanath, "The Staircase Mechanism in
// Differential Privacy" (2015), here on the integers and for any number of coordinates.
struct StaircaseVector {
  static constexpr unsigned kMaxCoordinates = 16;

  Ratio epsilon;
  Uint128 width;  // epsilon.num times it below 2^125, epsilon.den times it below 2^126
  Uint128 step;
  unsigned coordinates;  // 2..kMaxCoordinates

  // All coordinates at once. By rejection from discrete Laplaces of rate epsilon/width, whose sum of magnitudes is k: N
  // is at least (k - step + 1) / width, so that the proposal is accepted with probability
  // e^{-(epsilon/width) (width N - (k - step + 1))}, an exponent between 0 and epsilon. Throws std::invalid_argument
  // outside the ranges above.
  void sample(BitSource& bits, Int128* noise) const;
};

}  // namespace dp::noise
