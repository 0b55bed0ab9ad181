// From a mixture in doubles to the law that is sampled, with its privacy proved in 50 digits.
#pragma once

#include <optional>

#include "core/mechanism/r2dp/mixture.h"
#include "core/noise/laplace_mixture.h"
#include "core/number/real.h"

namespace dp::mechanism {

// The most that one number's distribution changes, as ln of a ratio, when its true value changes by up to
// `sensitivity`: ln P(0) - ln P(sensitivity). Proof: the pmf falls in |x| and is log-convex on each side of 0, being a
// mixture of geometrics (Hoelder); so for d <= D the ratio P(x)/P(x+d) is greatest at x = 0, and there for d = D.
Real mixture_loss(const noise::LaplaceMixture& law, noise::Uint128 sensitivity);

// The mixture with rational rates and weights: rates rounded to multiples of 2^-30 over the sensitivity, weights over a
// common denominator and then moved between two atoms, one on each side of epsilon, until the loss in 50 digits is at
// most epsilon and as near to it as the denominator allows. Nothing where rounding leaves no such law.
std::optional<noise::LaplaceMixture> certified_mixture(const Mixture& mixture, noise::Ratio epsilon,
                                                       noise::Uint128 sensitivity);

}  // namespace dp::mechanism
