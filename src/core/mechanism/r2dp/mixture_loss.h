// The figures of a mixture of Laplaces on the reals, for dp_describe.
#pragma once

#include "core/mechanism/loss.h"
#include "core/mechanism/r2dp/mixture.h"

namespace dp::mechanism {

// Relative to the sensitivity, as the mixture's rates are: of noise at sensitivity 1.
Loss continuous_loss(const Mixture& mixture);

// P(|noise| <= t), t >= 0, and the absolute characteristic function.
double continuous_within(const Mixture& mixture, double t);
double continuous_phi(const Mixture& mixture, double t);

// The same of the integer law, in lattice steps; its other figures are loss(law).
double integer_within(const noise::LaplaceMixture& law, double t);
double integer_phi(const noise::LaplaceMixture& law, double t);

}  // namespace dp::mechanism
