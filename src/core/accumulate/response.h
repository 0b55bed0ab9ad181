// What randomised responses tell about the true answers.
//
// Among n categories a response is the truth with probability p = e^epsilon / (n - 1 + e^epsilon), and each other one
// with q = 1 / (n - 1 + e^epsilon) (core/noise/selection.h). So for a category that is the truth of t among N people,
// and the response of c,
//   E c = p t + q (N - t),   Var c = p (1 - p) t + q (1 - q) (N - t),
// and (c - q N) / (p - q) is an unbiased estimate of t; c (1 - p - q) + p q N is one of Var c, and is never negative.
//
// Source: Kairouz, Bonawitz, Ramage, "Discrete Distribution Estimation under Local Privacy" (2016).
#pragma once

#include <cstdint>

#include "core/mechanism/epsilon_delta.h"

namespace dp::aggregate {

struct ResponseEstimate {
  double count;           // of the true answers; unbiased, so it may be negative or above the number of responses
  double standard_error;  // of that estimate, by the randomisation alone
};

// From `count` responses of one of `categories` >= 2 categories among `responses` in all.
ResponseEstimate estimate_truth(std::uint64_t count, std::uint64_t responses, int categories,
                                mechanism::Epsilon epsilon);

}  // namespace dp::aggregate
