// The staircase law on the integers.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// A uniform step inside geometric stairs. For |x| = j*width + i, 0 <= i < width, the weight is a^j where i < step and
// a^{j+1} beyond, a = e^{-epsilon}; the normaliser is (1-a)/(2 step + 2a(width-step) - (1-a)). 1 <= step <= width <=
// 2^126, or drawing throws std::invalid_argument. A draw takes long only where step is far below its optimum and
// a*width far above step. With width = D any shift up to D costs at most epsilon; a shift of 1 may already cost all of
// it, so the law is valid for one changing coordinate only. Source: Geng, Viswanath, "The Optimal Mechanism in
// Differential Privacy" (2014), sections III and V.
struct Staircase {
  Ratio epsilon;
  Uint128 width;
  Uint128 step;

  Int128 sample(BitSource& bits) const;
};

}  // namespace dp::noise
