// How close an answer is: P(|noise| <= t), and what follows from turning it round.
//
// Everything here reads public parameters only, in floating point; nothing decides a draw or a charge.
#pragma once

#include "core/mechanism/mechanism.h"
#include "core/planning/quantile.h"

namespace dp::planning {

// A mechanism on one kind of answer, its epsilon still open.
struct Noise {
  mechanism::Mechanism mechanism;
  double sensitivity;
  mechanism::Lattice lattice;

  mechanism::Description at(mechanism::Epsilon epsilon) const {
    return mechanism::describe(mechanism, epsilon, sensitivity, lattice);
  }
};

// P(|noise| <= gamma). Throws dp::Error unless 0 <= gamma < infinity.
double usefulness(const Noise& noise, mechanism::Epsilon epsilon, double gamma);

// Half the width of the shortest interval around an answer that holds the true value with that confidence.
// Throws dp::Error unless 0 < confidence < 1.
double half_width(const Noise& noise, mechanism::Epsilon epsilon, double confidence);

// The smallest epsilon for which |noise| <= error with that confidence.
//
// The probability grows with epsilon, so doubling and then halving the bracket find it: at the result the promise
// holds, one billionth below it does not. Only where the shape jumps with epsilon (the step of an integer staircase,
// the choice of `auto`) may the promise hold for some smaller epsilon too. Throws dp::Error unless error >= 0 is finite
// and 0 < confidence < 1, and where no epsilon up to 1e6 is enough.
mechanism::Epsilon epsilon_for(const Noise& noise, double error, double confidence);

}  // namespace dp::planning
