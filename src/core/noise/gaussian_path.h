// The Gaussian noise path of a released number: discrete Gaussian draws, ever finer or ever coarser.
//
// At the level epsilon the noise of a number that a unit changes by `change` is discrete Gaussian of variance
// (change/epsilon)^2, and its Rényi divergence of order alpha is at most alpha epsilon^2 / 2; of several numbers at
// once likewise, with `change` the Euclidean length of what a unit changes (Canonne, Kamath, Steinke, "The Discrete
// Gaussian for Differential Privacy" (2020), theorem 4).
//
// A step from epsilon_1 to epsilon_2 loses alpha (epsilon_2^2 - epsilon_1^2) / 2, whatever decides that it is made.
// Proof. Let s_i be the two variances, k = s_2/s_1, and draw V_2 given V_1 = v from the discrete Gaussian centred at
// k v of variance s = s_2 (1 - k). Then v_1^2/(2 s_1) + (v_2 - k v_1)^2/(2 s) = v_2^2/(2 s_2) + (v_1 - v_2)^2/(2 (s_1 -
// s_2)), and v_1 - v_2 = y_1 - y_2 does not depend on the data: the ratio of likelihoods of both answers is that of the
// second one, but for the two constants that make the step's laws sum up to one. These are sqrt(2 pi s) up to a factor
// 1 +- h, h = 2 sum exp(-2 pi^2 s k^2), by Poisson summation: for s >= 4 within 1e-33 of each other, which is far below
// the one unit in which charges are rounded up (core/accounting/loss.h). A coarser level adds independent noise to a
// finer one and loses nothing; and the finer one has then just the law given above, for who was shown the coarser one.
//
// As with relaxation.h this holds for one path only: each move starts from the end of what was drawn before.
#pragma once

#include "core/noise/bit_source.h"
#include "core/noise/integers.h"

namespace dp::noise {

// An epsilon in units of 10^-9, below 2^50.
struct GaussianLevel {
  static constexpr std::uint64_t kPerUnit = 1'000'000'000;

  Uint128 change;  // below 2^100
  std::uint64_t epsilon;
  Uint128 proposal_scale;  // floor(sigma) + 1

  // Throws std::invalid_argument outside the ranges above, for zeros, or where sigma is 2^120 or more.
  static GaussianLevel with(Uint128 change, std::uint64_t epsilon);

  double sigma() const;  // for reports

  Int128 sample(BitSource& bits) const;
};

// Two levels of one number, whose noise is known at the one and is drawn at the other.
class GaussianStep {
 public:
  // Throws std::invalid_argument unless is_possible().
  GaussianStep(Uint128 change, std::uint64_t coarse, std::uint64_t fine);

  // Whether the second level is finer by so much, on so fine a lattice, that the variance of a step is 4 at least.
  static bool is_possible(Uint128 change, std::uint64_t coarse, std::uint64_t fine);

  // The noise of the finer level, given that of the coarser one.
  Int128 relax(BitSource& bits, Int128 coarse_noise) const;

  // The noise of the coarser level, given that of the finer one.
  Int128 tighten(BitSource& bits, Int128 fine_noise) const;

 private:
  Uint128 change_;
  Uint128 coarse_;  // epsilon squared
  Uint128 fine_;
  Uint128 relax_scale_;  // of the laws that propose
  Uint128 tighten_scale_;
};

}  // namespace dp::noise
