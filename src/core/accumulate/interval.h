// Intervals around released answers that hold the exact one, of the clamped values that count, with a given confidence.
// Arithmetic on noisy values and public parameters only; nothing here decides a draw or a charge.
#pragma once

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/law.h"

namespace dp::aggregate {

// The smallest n with P(|noise| <= n) >= confidence for each of `coordinates` numbers together, by the union bound; in
// refined steps, at most 2^126. Throws dp::Error unless 0 < confidence < 1, std::logic_error for a law that depends on
// the exact answer.
Int128 half_width(const mechanism::Law& law, int coordinates, double confidence);

// Throws dp::Error unless 0 < confidence < 1.
void require_confidence(double confidence);

// The same of the sums of so many numbers, each with noise of that law; a little larger than it need be. Throws
// std::logic_error for several numbers of another law.
Int128 half_width_of_sums(const mechanism::Law& law, int summed, int coordinates, double confidence);

// Whether half_width() knows one: the noise does not depend on the exact answer.
bool has_half_width(const mechanism::Law& law);

struct Interval {
  double lower;
  double upper;
};

// Where the mean can lie between the bounds, 0 to 1, where neither of the noisy numbers is off by more than `half`.
Interval mean_interval(const MeanPair& noisy, Int128 half);

// The same of population_position: from 0 to 1/4, and of variance_position: from 0 to 1/2.
Interval population_interval(const MomentTriple& noisy, Int128 half);
Interval variance_interval(const MomentTriple& noisy, Int128 half, double range_squared);

}  // namespace dp::aggregate
