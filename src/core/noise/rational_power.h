// Exact draws for powers that are fractions: e^{-x} for an x that no fraction equals.
//
// x = (y/b)^{n/d} is enclosed by integers: low <= 2^k x <= high, for any k, by whole roots and products that are
// rounded down on the one side and up on the other. A uniform U lies below x or not as soon as its first bits and such
// an enclosure say so; until they do, k is doubled. No U stays undecided but with probability 0, and what is decided is
// true of x itself, so the probability is x, not an approximation.
#pragma once

#include "core/noise/generalised_gaussian.h"

namespace dp::noise {

// True with probability exactly e^{-(y/b)^p}.
bool accepts_distance(BitSource& bits, const GeneralisedGaussian& law, Uint128 y);

// True with probability exactly e^{-((y/b)^p - y/t + 1 - 1/p)}, t the law's proposal_scale.
bool accepts_proposal(BitSource& bits, const GeneralisedGaussian& law, Uint128 y);

// A t with p t^p >= b^p for certain, within one part in 2^39 and 2 of the smallest one.
Uint128 dominating_scale(const GeneralisedGaussian& law);

}  // namespace dp::noise
