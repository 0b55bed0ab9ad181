// The delta of generalised Gaussian noise, certified for the integer law and in doubles for the continuous one, and the
// smallest scale that keeps it.
//
// One coordinate that changes by at most D, noise of density or probability proportional to e^{-(|x|/b)^p}. The loss at
// x, L(x) = (|x + d|^p - |x|^p) / b^p, does not fall as x grows and L(-d-x) = -L(x). With S the upper tail P(X >= .):
//   approximate   delta = S(a) - e^epsilon S(a + d): the least delta of (epsilon, delta)-differential privacy;
//   probabilistic delta = S(a) + S(a + d): the probability that |L| > epsilon;
// a being the first point with L > epsilon. On the integers a is a whole number.
//
// Proof that d = D is the worst change. Approximate: e^{-(|x|/b)^p} is log-concave, so the shifted laws have a monotone
// likelihood ratio and the power of the best test grows with the shift. Probabilistic: as long as |x + d| is at least
// |x|, L grows with d, so a(d) falls. Let a(D) >= 1 and y = a(d) + d for some d < D: if D <= y + a(d), then |y - D| <=
// a(d), so L > epsilon at y - D too and a(D) + D <= y; otherwise D > y, so D^p > y^p > b^p epsilon and a(D) <= 0, a
// contradiction. So both tails grow with d. Where a(D) <= 0 (delta above one half) the second tail is bounded by S(y)
// with y the first integer with y^p > b^p epsilon, below which no a(d) + d can lie.
//
// Source: Liu, "Generalized Gaussian Mechanism for Differential Privacy" (2019), with the tails in place of its bounds;
// for p = 2 Balle, Wang (2018), theorem 8.
#pragma once

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/gg/power_sums.h"

namespace dp::mechanism {

enum class Definition { probabilistic, approximate };

// Not below the true delta of the integer law with that p and b, for every change up to `change` (a whole number >= 1).
Real certified_delta(Definition, Power p, const Real& b, const Real& change, Epsilon);

// The b at which the continuous law has that delta at a change of one: exact up to the rounding of doubles.
double continuous_scale(Definition, Power p, Epsilon, Delta);

// About the smallest b of the integer law, in steps. Proves nothing.
double find_scale(Definition, Power p, double change, Epsilon, Delta);

// The integer law of smallest b, to one part in 2^31, for which certified_delta() is at most delta.
// Throws dp::Error where b would not fit the law.
noise::GeneralisedGaussian certified_scale(Definition, Power p, noise::Uint128 change, Epsilon, Delta);

// mantissa * 2^exponent above b, to one part in 2^31. Throws dp::Error naming epsilon where b is 0, too large or no
// number.
noise::GeneralisedGaussian law_above(Power p, double b, Epsilon);

// b exactly.
Real exact_scale(const noise::GeneralisedGaussian&);

}  // namespace dp::mechanism
