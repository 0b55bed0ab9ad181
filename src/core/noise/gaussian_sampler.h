// How discrete Gaussian noise of any rational variance is drawn.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/wide.h"

namespace dp::noise {

// The scale of the discrete Laplace law that proposes for a Gaussian one of that variance: floor(sigma) + 1. Throws
// std::invalid_argument where sigma is 2^120 or more.
Uint128 scale_of_proposal(const Wide& variance);

// P(y) proportional to exp(-y^2 / (2 v/m)), by that scale. Source: Canonne, Kamath, Steinke (2020), algorithm 3: with t
// the scale, y ~ discrete Laplace(1/t) is accepted with probability e^{-(|y| - sigma^2/t)^2 / (2 sigma^2)}.
Int128 sample_gaussian(BitSource& bits, const Wide& v, const Wide& m, Uint128 scale);

}  // namespace dp::noise
