// From exact integers to an answer: noise first, then arithmetic on noisy values only.
//
// Nothing in this file after `noised` knows a true count; special cases test noisy numbers.
#pragma once

#include "core/accumulate/state.h"
#include "core/mechanism/mechanism.h"

namespace dp::aggregate {

// exact * 2^refinement; the ends of the 128-bit range where it would leave it.
Int128 refined(Int128 exact, const mechanism::Calibration& calibration);

// That plus one fresh draw, in refined steps; the ends of the 128-bit range where it would leave it.
Int128 noised(Int128 exact, const mechanism::Calibration& calibration, noise::BitSource& bits);

// The same of all integers of an answer, which some laws draw at once. `drawn`: what was added to each, where that is
// asked.
void noised(noise::Int128View exact, const mechanism::Calibration& calibration, noise::BitSource& bits, Int128* noisy,
            Int128* drawn = nullptr);

// The nearest integer to steps / 2^refinement, as int64; the ends of its range for what lies beyond.
std::int64_t to_int64(Int128 steps, unsigned refinement);

// steps / 2^refinement rounded to the nearest integer, halves away from zero.
Int128 to_whole(Int128 steps, unsigned refinement);

// steps * 2^exponent as a double; the largest finite double for what lies beyond.
double to_double(Int128 steps, int exponent);

// The coordinates of a mean over rows in 0..range steps: the steps above the lower bound and those below the upper one.
// They add up to rows * range, so one row changes them by `range` in l1.
// Source: Kulesza, Suresh, Wang, "Mean Estimation in the Add-Remove Model of Differential Privacy" (2023).
struct MeanPair {
  Int128 above;
  Int128 below;
};
MeanPair mean_pair(const MeanState& state, std::int64_t range);

// Where the mean lies between the bounds: 0 at the lower, 1 at the upper. 1/2 where the noisy sum is not positive.
double mean_position(const MeanPair& noisy);

// The coordinates of the second moments over rows in 0..range steps, with X the steps above and Y those below: sum X^2,
// sum 2XY, sum Y^2. They add up to rows * range^2, so one row changes them by range^2 in l1.
struct MomentTriple {
  Int128 above;
  Int128 mixed;
  Int128 below;
};
MomentTriple moment_triple(const MomentsState& state, std::int64_t range);

// The population variance in units of the squared distance between the bounds, from 0 to 1/4; 0 where the noisy count
// is not positive.
double population_position(const MomentTriple& noisy);

// The sample variance in units of the squared distance between the bounds, from 0 to 1/2. `range_squared` is in the
// refined steps of the triple. With a noisy count of at most 1.5 rows it is the population variance instead, and 0
// where the noisy count is not positive.
double variance_position(const MomentTriple& noisy, double range_squared);

}  // namespace dp::aggregate
