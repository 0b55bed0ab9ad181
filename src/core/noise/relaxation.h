// The noise path of a released number: a Markov chain of discrete Laplace draws, ever finer or ever coarser.
//
// At levels epsilon_1 < epsilon_2 with a_i = e^{-rate_i}: V_1 = V_2 + W with W independent of V_2, W = 0 with
// probability p0 = (a_2/a_1) ((1-a_1)/(1-a_2))^2 and else discrete Laplace of rate_1. So (y_1, y_2) is post-processing
// of y_2 and a whole chain costs its largest epsilon. Source: Koufogiannis, Han, Pappas, "Gradual Release of Sensitive
// Data under Differential Privacy" (2016); here for the integers, where V_1 = V_2 + W holds exactly with the p0 above.
//
// That holds for one path only: each move starts from the end of what was drawn before, and a level that was drawn is
// kept and shown again, never drawn a second time. Two relaxations of one V_1 lose 2 epsilon_2 + epsilon_1; fresh noise
// in the place of V_2 loses epsilon_1 + epsilon_2.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// The two rates over one denominator: rate_i = coarse/den and fine/den, 0 < coarse < fine.
//
// Both functions below throw, before they draw, std::invalid_argument for other rates or den = 0, and
// std::overflow_error where coarse + fine or den is 2^126 or more. They throw std::overflow_error too where a value
// drawn would leave 128 bits, with a probability that is negligible for den < 2^107 (geometric.h). The expected cost of
// a draw grows with the logarithms of the integers only, however fine the grid is.
struct RatePair {
  Uint128 coarse;
  Uint128 fine;
  Uint128 den;
};

// V_2 drawn from its exact law given V_1 = coarse_noise: the noise of the finer level of the same path. With V_1
// discrete Laplace of rate_1, V_2 is discrete Laplace of rate_2.
Int128 relax(BitSource& bits, const RatePair& rates, Int128 coarse_noise);

// V_1 = V_2 + W drawn from its exact law given V_2 = fine_noise: the noise of a coarser level of the same path. With
// V_2 discrete Laplace of rate_2, V_1 is discrete Laplace of rate_1, and (V_1, V_2) has the same law as by relax.
Int128 tighten(BitSource& bits, const RatePair& rates, Int128 fine_noise);

}  // namespace dp::noise
