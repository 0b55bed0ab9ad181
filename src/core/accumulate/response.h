// What randomised responses tell about the true answers.
//
// Among k categories a response is the truth with probability p = E / (E+k-1), and each other one with q = 1 / (E+k-1)
// (core/noise/response.h). So for a category that is the truth of t among N people, and the response of c,
//   E c = p t + q (N - t),   Var c = p (1 - p) t + q (1 - q) (N - t),
// and (c - q N) / (p - q) is an unbiased estimate of t; c (1 - p - q) + p q N is one of Var c, and is never negative.
//
// Of a bit, k = 2: q = 1 - p, and Var c = p q N whatever the truth is.
//
// Source: Kairouz, Bonawitz, Ramage, "Discrete Distribution Estimation under Local Privacy" (2016).
#pragma once

#include <cstdint>

#include "core/noise/response.h"

namespace dp::aggregate {

struct ResponseEstimate {
  double count;           // of the true answers; unbiased, so it may be negative or above the number of responses
  double standard_error;  // of that estimate, by the randomisation alone
};

// From `count` responses of one of `categories` >= 2 categories among `responses` in all.
ResponseEstimate estimate_truth(std::uint64_t count, std::uint64_t responses, int categories, noise::Odds odds);

// From `count` reports in which a bit is set, among `reports` in all: in how many it was set truly.
inline ResponseEstimate estimate_bit(std::uint64_t count, std::uint64_t reports, noise::Odds odds) {
  return estimate_truth(count, reports, 2, odds);
}

}  // namespace dp::aggregate
