// Mixtures of Laplace laws, in doubles: the search for the best one. What is found here proves nothing about privacy;
// mixture_certificate.h does.
//
// Everything is relative to the sensitivity: an atom of rate u is a Laplace of scale sensitivity/u.
// Source: Mohammady, Xie, Hong, Zhang, Wang, Pourzandi, Debbabi, "R2DP: A Universal and Automated Approach to
// Optimizing the Randomization Mechanisms of Differential Privacy for Utility Metrics with No Known Optimal
// Distributions" (2020).
#pragma once

#include <limits>
#include <vector>

namespace dp::mechanism {

struct MixtureAtom {
  double weight;  // the weights add up to 1
  double rate;
};
using Mixture = std::vector<MixtureAtom>;

// What a mixture has to keep (epsilon) and to make small (the cost), on the reals or on the integers.
struct MixtureProblem {
  enum class Metric { usefulness, l1, l2 };

  double epsilon;
  Metric metric;
  double half_width = 0;  // for usefulness, whose cost is P(|noise| > half_width); on the integers n + 1/2
  double steps = std::numeric_limits<double>::infinity();  // the sensitivity in lattice steps; infinite on the reals

  // A Laplace's density at zero, on the integers its probability of zero, up to a common factor: u on the reals.
  double peak(double rate) const;

  // ln |h| with h(u) = peak(u) (e^{epsilon - u} - 1). A mixture is epsilon-private if and only if E h >= 0: both
  // densities are log-convex on each side, so the worst ratio is that of 0 and the sensitivity. h > 0 for u < epsilon.
  double log_slack(double rate) const;

  // P(|noise| > half_width), E|noise| or E noise^2 of a Laplace of that rate.
  double cost(double rate) const;

  double cost(const Mixture& mixture) const;
  double loss(const Mixture& mixture) const;  // ln of the ratio at 0 and the sensitivity
};

// The mixture of least cost of all that are epsilon-private: the problem is linear with two constraints (E 1 = 1,
// E h >= 0), so two atoms u0 < epsilon < u1 reach its optimum, or one at epsilon where no pair is better.
Mixture optimal_mixture(const MixtureProblem& problem);

// The same weights with all rates multiplied by the factor that makes the loss epsilon.
Mixture rescaled(const MixtureProblem& problem, Mixture mixture);

}  // namespace dp::mechanism
