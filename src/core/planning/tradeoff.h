// Privacy against utility along a range of epsilons.
//
// Source: Liu, Wu, Zhou, Peng, Tian, Lu, "Privacy-Preserving Monotonicity of Differential Privacy Mechanisms" (2018):
// expected error and entropy fall with epsilon, |phi| and 1 - NE (normalised entropy) rise.
#pragma once

#include <optional>
#include <span>

#include "core/planning/accuracy.h"
#include "core/planning/shares.h"

namespace dp::planning {

// `steps` epsilons at equal distances, both ends included; the first one alone where steps = 1.
struct EpsilonRange {
  mechanism::Epsilon from;
  mechanism::Epsilon to;
  int steps;

  static constexpr int kMaxSteps = 100'000;

  // Throws dp::Error unless from <= to and 1 <= steps <= kMaxSteps.
  static EpsilonRange checked(double from, double to, int steps);

  // The one at place i, 0 <= i < steps, cut off to a whole multiple of 1e-9.
  mechanism::Epsilon at(int i) const;
};

struct TradeoffPoint {
  double expected_error;
  double entropy_bits;
  std::optional<double> phi;           // |E e^{it noise}|: of added noise
  std::optional<double> one_minus_ne;  // 1 - entropy / log2(n): of one out of n >= 2 answers
};

// Additive noise: E|noise|, the entropy of the noise and the absolute characteristic function at t.
TradeoffPoint noise_point(const Noise& noise, mechanism::Epsilon epsilon, double t);

// The exponential mechanism, P(i) proportional to e^{epsilon u_i / (2 sensitivity)}: its expected error is the utility
// that is missed, max u - E u.
TradeoffPoint exponential_point(std::span<const double> utilities, double sensitivity, mechanism::Epsilon epsilon);

// n-ary randomised response (n = 2: Warner's), which keeps the truth with probability e^epsilon/(n-1+e^epsilon) and
// otherwise reports one of the other categories: the expected error is the probability of a wrong report, the entropy
// that of a report where the categories have these shares of the truth.
TradeoffPoint response_point(std::span<const double> shares, mechanism::Epsilon epsilon);

// Throw dp::Error for input on which the functions above make no sense.
void check_argument(double t);                                                // finite
void check_utilities(std::span<const double> utilities, double sensitivity);  // 1 <= n, finite; 0 < sensitivity

}  // namespace dp::planning
