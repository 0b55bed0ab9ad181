// Sums of the weights e^{-(x/b)^p} over ranges of integers, x >= 0 and p from 1 to 16.
//
// The doubles are for searching and reports and prove nothing. The bounds hold: they add the terms, or the
// Euler-Maclaurin formula with a bound on its remainder, in 50-digit arithmetic and widen the result by far more than
// that arithmetic can round. Cost does not grow with b or with the length of the range. Where p is a fraction the
// weights have no higher derivatives at 0, so that the first few hundred are added there too, before the formula.
#pragma once

#include "core/noise/generalised_gaussian.h"
#include "core/number/real.h"

namespace dp::mechanism {

using noise::Power;

struct Bounds {
  Real low;
  Real high;
};

// base^p of base >= 0, off by a few units of the last of 50 digits.
Real power_of(const Real& base, Power p);

// ln of the sum over x = n, n+1, ...; n >= 0.
double log_tail(Power p, double b, double n);
// The same of e^{(n/b)^p} times that sum, which stays a number where its logarithm would lose all digits.
double log_scaled_tail(Power p, double b, double n);
// The sum over x = 0, 1, ..., n.
double head(Power p, double b, double n);
// P(X >= n) for any whole n under the normalised law on all integers, as its logarithm.
double log_upper(Power p, double b, double n);

// Of e^{(n/b)^p} times the sum over x = n, n+1, ...; n >= 0. Beyond (n/b)^p = 7e8 the sum itself is zero even in a
// Real.
Bounds scaled_tail_bounds(Power p, const Real& b, const Real& n);
Bounds tail_bounds(Power p, const Real& b, const Real& n);
Bounds head_bounds(Power p, const Real& b, const Real& n);
// P(X >= n), any whole n; `from_zero` is tail_bounds(p, b, 0).
Bounds upper_bounds(Power p, const Real& b, const Real& n, const Bounds& from_zero);

// ln of Q(1/p, u^p), the share of the continuous law's |noise| beyond u = t/b >= 0. Does not underflow.
double log_continuous_tail(double p, double u);
// The same of e^{u^p} times that share.
double log_scaled_continuous_tail(double p, double u);

}  // namespace dp::mechanism
