// Intervals around released answers that hold the exact one, of the clamped values that count, with a given confidence.
// Arithmetic on noisy values and public parameters only; nothing here decides a draw or a charge.
#pragma once

#include "core/accumulate/combined_noise.h"
#include "core/accumulate/noisy_answer.h"

namespace dp::aggregate {

struct Interval {
  double lower;
  double upper;
};

// The noise of the numbers of which quotients are made, for one confidence. Plain data, about 25 kB.
struct QuotientNoise {
  // `numbers`: 2 of a mean, 3 of a variance. Throws as half_width_of_sums does.
  QuotientNoise(const mechanism::Law& law, int summed, int numbers, double confidence);

  CombinedNoise mean;    // of a variance the mean may miss with a tenth of the probability,
  CombinedNoise rows;    // and so may the number of rows
  CombinedNoise spread;  // with the rest of it
};

// Where the mean can lie between the bounds, 0 to 1: Fieller's interval. If m is the mean, the noisy numbers times
// 1 - m and -m add up to noise alone, whose width is known; the interval has every m for which they do.
Interval mean_interval(const MeanPair& noisy, QuotientNoise& noise);
Interval mean_interval_of_moments(const MomentTriple& noisy, QuotientNoise& noise);

// The same of population_position: from 0 to 1/4, and of variance_position: from 0 to 1/2. If v is the variance and m
// the mean, above ((1 - m)^2 - v) - mixed (m (1 - m) + v) + below (m^2 - v) is noise alone; m is anything that the mean
// can be.
Interval population_interval(const MomentTriple& noisy, QuotientNoise& noise);
Interval variance_interval(const MomentTriple& noisy, QuotientNoise& noise, double range_squared);

}  // namespace dp::aggregate
