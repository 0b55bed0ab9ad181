// Geometric noise on a coarse lattice of the exact integer.
#pragma once

#include "core/noise/discrete_laplace.h"

namespace dp::noise {

// The exact integer is rounded to the nearest multiple of `step` (halves up), and step times a discrete Laplace is
// added.
struct RoundedGeometric {
  Uint128 step;  // 1 .. 2^64
  DiscreteLaplace noise;

  // floor((exact + floor(step/2)) / step): by how many steps the rounded integer lies from zero.
  Int128 multiple(Int128 exact) const;

  // Throws std::overflow_error where the result would leave 128 bits.
  Int128 release(Int128 exact, BitSource& bits) const;
};

}  // namespace dp::noise
