// The families of scales of the R2DP paper: u, the inverse of a Laplace's scale, follows a named law.
#pragma once

#include "core/mechanism/r2dp/mixture.h"

namespace dp::mechanism {

enum class MixtureFamily {
  gamma,               // shape and scale
  uniform,             // on [a, b]
  truncated_gaussian,  // a normal density on [a, b], of any mean
  combined,            // the sum of independent ones of each
};

// The epsilon-private law of least cost in the family, as a Gauss rule of at most `atoms` atoms, and at that exactly
// epsilon-private in doubles. Laplace itself, on the border of every family, where the family is no better.
// The search is for laws on the reals; on the integers half_width and the lattice are taken into account by its end.
Mixture best_of_family(const MixtureProblem& problem, MixtureFamily family, std::size_t atoms);

}  // namespace dp::mechanism
