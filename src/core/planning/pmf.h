// The probabilities of the laws that are sampled, written down from their definitions in noise/ and from nothing else:
// no calibration, certificate or moment uses this file, so that what it says is a check of theirs.
#pragma once

#include "core/mechanism/law.h"

namespace dp::planning {

using Probability = long double;

// ln P(noise = x) for whole x, up to one constant that does not depend on x for laws whose noise is an addend.
Probability log_pmf(const noise::DiscreteLaplace& law, Probability x);
Probability log_pmf(const noise::Staircase& law, Probability x);
Probability log_pmf(const noise::DiscreteGaussian& law, Probability x);
Probability log_pmf(const noise::GaussianLevel& law, Probability x);
Probability log_pmf(const noise::LaplaceMixture& law, Probability x);
Probability log_pmf(const noise::GeneralisedGaussian& law, Probability x);

// The same of a vector whose magnitudes add up to that.
Probability log_pmf(const noise::StaircaseVector& law, Probability norm);

// ln P(answer | exact), the answer a multiple of the step.
Probability log_pmf(const noise::RoundedGeometric& law, Probability exact, Probability answer);

// ln P(answer | exact), both inside the range: normalised by a sum over the range, and up to one constant.
Probability log_pmf(const noise::TruncatedGeneralisedGaussian& law, Probability exact, Probability answer);
Probability log_pmf(const noise::BoundaryInflatedGaussian& law, Probability exact, Probability answer);

}  // namespace dp::planning
