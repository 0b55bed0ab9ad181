// Sums of the weights e^{-(x/b)^p} over ranges of integers, x >= 0 and p a whole number from 1 to 16.
//
// The doubles are for searching and reports and prove nothing. The bounds hold: they add the terms, or the
// Euler-Maclaurin formula with a bound on its remainder, in 50-digit arithmetic and widen the result by far more than
// that arithmetic can round. Cost does not grow with b or with the length of the range.
#pragma once

#include "core/number/real.h"

namespace dp::mechanism {

struct Bounds {
  Real low;
  Real high;
};

// The integer powers that 50 digits can round.
Real whole_power(Real base, unsigned exponent);

// ln of the sum over x = n, n+1, ...; n >= 0.
double log_tail(unsigned p, double b, double n);
// The same of e^{(n/b)^p} times that sum, which stays a number where its logarithm would lose all digits.
double log_scaled_tail(unsigned p, double b, double n);
// The sum over x = 0, 1, ..., n.
double head(unsigned p, double b, double n);
// P(X >= n) for any whole n under the normalised law on all integers, as its logarithm.
double log_upper(unsigned p, double b, double n);

// Of e^{(n/b)^p} times the sum over x = n, n+1, ...; n >= 0. Beyond (n/b)^p = 7e8 the sum itself is zero even in a
// Real.
Bounds scaled_tail_bounds(unsigned p, const Real& b, const Real& n);
Bounds tail_bounds(unsigned p, const Real& b, const Real& n);
Bounds head_bounds(unsigned p, const Real& b, const Real& n);
// P(X >= n), any whole n; `from_zero` is tail_bounds(p, b, 0).
Bounds upper_bounds(unsigned p, const Real& b, const Real& n, const Bounds& from_zero);

// ln of Q(1/p, u^p), the share of the continuous law's |noise| beyond u = t/b >= 0. Does not underflow.
double log_continuous_tail(unsigned p, double u);
// The same of e^{u^p} times that share.
double log_scaled_continuous_tail(unsigned p, double u);

}  // namespace dp::mechanism
