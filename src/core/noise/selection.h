// Exact choice of one candidate by its utility, larger being better.
//
// Utilities and weights are integers, `rate` is a positive rational, per unit of utility. Below, M is the greatest
// utility and p_i = e^{-rate (M - u_i)}.
//
// What a choice loses, where one privacy unit changes utility i by d_i, |d_i| <= D and max d - min d <= R:
// - exponential_mechanism: at most rate R (R <= 2D, and R <= D where all d_i have the same sign).
//   Proof: ln P(i) = rate u_i - ln Z changes by rate d_i - ln(Z'/Z), and ln(Z'/Z) lies between rate min d and
//   rate max d.
// - permute_and_flip: at most 2 rate D, and at most rate D where all d_i have the same sign.
//   Proof: it chooses i as the greatest u_i + E_i does, with independent exponential E_i of that rate. For each sum
//   passes M with probability p_i, the greatest candidate's for certain, and those that pass do so by amounts of the
//   same exponential law, so each of them wins alike; and the first success in a random order of independent flips p_i
//   is each of the successes alike. Now where i wins with E_i it wins with E_i + 2D after the change, with E_i + D if
//   all d_i have one sign, and on such a shift the density of E_i shrinks by e^{-2 rate D} or e^{-rate D}.
//   (The equality: Ding, Kifer, Saghaian, Steinke, Wang, Xiao, Zhang, 2021.)
// Counts of rows by candidate have d_i of one sign and D = 1: both laws lose at most `rate`.
#pragma once

#include <cstddef>
#include <span>

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// The types of integers.h without their alignment, which templates ignore.
using Utility = __int128;
using Weight = unsigned __int128;

// All functions return the place of the chosen candidate. They throw std::invalid_argument for no candidates, and
// std::overflow_error where rate.num (M - u_i) leaves 128 bits.

// P(i) proportional to e^{rate u_i}.
//
// Source: McSherry, Talwar, "Mechanism Design via Differential Privacy" (2007). A uniform proposal is taken with
// probability p_i; the greatest is always taken, so as many tries as candidates are expected at most.
std::size_t exponential_mechanism(BitSource& bits, std::span<const Utility> utilities, const Ratio& rate);

// P(i) proportional to weights[i] e^{rate u_i}, 1 <= weights[i] < 2^126: a candidate that stands for many alike.
// At most 15 tries per candidate are expected, whatever the weights. Throws std::invalid_argument for other weights.
std::size_t exponential_mechanism(BitSource& bits, std::span<const Utility> utilities, std::span<const Weight> weights,
                                  const Ratio& rate);

// The first candidate in a random order whose flip of probability p_i succeeds. Its expected utility is never below
// that of the exponential mechanism at the same rate. Each candidate is flipped once at most.
//
// Source: McKenna, Sheldon, "Permute-and-Flip: A new mechanism for differentially private selection" (2020).
std::size_t permute_and_flip(BitSource& bits, std::span<const Utility> utilities, const Ratio& rate);

// True with probability exactly 8/(3e): 1/e is 3/8 less the alternating rest 1/5! - 1/6! + ... of its series, so the
// probability is 1 - (1/45)(1 - 1/6 + 1/(6*7) - ...).
bool bernoulli_eight_over_three_e(BitSource& bits);

}  // namespace dp::noise
