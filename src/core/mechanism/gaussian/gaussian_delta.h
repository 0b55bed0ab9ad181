// Certified delta of Gaussian noise on the integers.
//
// Every function returns a number that is not below the true delta: it adds the exact law's terms in 50-digit
// arithmetic, bounds what it leaves out, and widens each term by far more than that arithmetic can round.
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/number/real.h"

namespace dp::mechanism {

// The delta of the discrete Gaussian of that variance for one coordinate that changes by at most `shift`: S(a) -
// e^epsilon S(a + shift), S the normalised upper tail and a the first integer above epsilon*variance/shift - shift/2.
// Source: Canonne, Kamath, Steinke (2020), theorem 7. Smaller shifts have a smaller delta: the shifted laws have a
// monotone likelihood ratio, so the power of the best test grows with the shift.
Real delta_of_shift(const Real& variance, const Real& shift, Epsilon epsilon);

// The same for independent discrete Gaussians on several coordinates whose joint change has Euclidean length `l2`.
// Source: the same: the multivariate discrete Gaussian has Renyi divergence of order t at most t l2^2 / (2 variance),
// and their conversion of a Renyi bound into delta, at the order that minimises it.
Real delta_of_joint(const Real& variance, const Real& l2, Epsilon epsilon);

// The delta of continuous Gaussian noise, exact up to rounding. Source: Balle, Wang, "Improving the Gaussian Mechanism
// for Differential Privacy" (2018), theorem 8.
Real delta_of_continuous(const Real& variance, const Real& shift, Epsilon epsilon);

}  // namespace dp::mechanism
