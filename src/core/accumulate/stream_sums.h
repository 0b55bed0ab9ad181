// Running totals of a stream without an end: each period has a count, and all totals together are one release.
//
// As for the buckets of a curve (prefix_sums.h) noise is added to C x, where x are the counts of the periods and A = B
// C is the matrix of ones on and below its diagonal. But nobody knows how many periods there will be: C must begin with
// the same rows however long it gets, and the squares of a column must have a sum however long it gets. Those of
// (1 - z)^(-1/2) have none. So its coefficients are damped by a logarithm, which costs little at any length:
//
//   T_k = floor(2^20 f_k 5 / (5 + log2(k + 1))),  f_0 = 1, f_k = f_(k-1) (2k - 1) / (2k),  0 for k >= 2^24
//
// with f_k and the logarithm cut to 60 and 16 bits, in integers throughout. What a row of period j changes are T_0,
// T_1, ... of the numbers of periods j, j + 1, ...: its l2, over all that is ever released, is the root of
// kStreamNormSquared, whatever the period. That is the whole proof: the numbers of all periods are one Gaussian release
// of integers, told bit by bit.
//
// The root of the mean square error of a total is at most 1.45 times that of the best matrix for as many periods, from
// 1 to 2^14 of them (test/unit/stream_sums_test.cpp).
//
// Source: Jacobsen, Fawaz, "Private Continual Counting of Unbounded Streams" (2025, arXiv 2506.15018): that a
// logarithmic perturbation of 1 / sqrt(1 - z) needs no horizon. Theirs is of the function, this one of each
// coefficient, which takes no power series and is nearer to the best at the lengths that calendars have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mechanism/sensitivity.h"
#include "core/noise/integers.h"

namespace dp::aggregate {

// A period of a minute each: 31 years.
inline constexpr int kMostPeriods = 1 << 24;

// A count of one is 2^that in the integers of its period.
inline constexpr unsigned kStreamBits = 20;

// The sum of all T_k^2.
inline constexpr noise::Uint128 kStreamNormSquared = 2092512228838;

class StreamWeights {
 public:
  // T_0, T_1, ... for so many periods, of which there are kMostPeriods at most.
  explicit StreamWeights(int periods);

  int periods() const { return static_cast<int>(weights_.size()); }
  std::int64_t of(int k) const { return weights_[static_cast<std::size_t>(k)]; }

  // What the exact counts of all earlier periods add to the number of the next one. Its own is to be added 2^20 times.
  noise::Int128 past(noise::Int128View counts) const;

  // What the noisy number of the next period says of its count, from what those of all earlier periods have said; in
  // steps of 2^-finer.
  double count_of(noise::Int128 noisy, std::span<const double> earlier, unsigned finer = 0) const;

  // The variance of the last total, where each number has noise of variance one.
  double variance_of_total() const;

 private:
  std::vector<std::int64_t> weights_;
};

// What one row changes of all the numbers together, where it changes the count of one period by that.
mechanism::Changes stream_changes(const mechanism::Changes& of_period);

// What these have said together.
double total_of(std::span<const double> counts);

}  // namespace dp::aggregate
