// What several users who put their answers together learn.
#pragma once

#include "core/planning/accuracy.h"

namespace dp::planning {

inline constexpr int kMaxAnswers = 1'000'000;

// The expected absolute error of the lower median of k independent answers: median_error. (Equation 18 of Chen, Pal,
// Golubchik, "Oblivious Mechanisms in Differential Privacy" (2016), is a normal approximation that is wrong for small
// k.) Throws dp::Error unless 1 <= k <= kMaxAnswers.
double collusion_error(const Noise& noise, mechanism::Epsilon epsilon, int k);

}  // namespace dp::planning
