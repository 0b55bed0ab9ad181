// The odds of randomised responses at an epsilon.
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/noise/response.h"

namespace dp::mechanism {

// e^{epsilon / parts} as a multiple of 2^-40, rounded down, and 2^80 at most: one of so many independent responses that
// together lose epsilon at most. Throws dp::Error where that is 1, which nothing can be learnt from.
noise::Odds odds_of(Epsilon epsilon, unsigned parts = 1);

}  // namespace dp::mechanism
