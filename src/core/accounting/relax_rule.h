// The one path of a released number: which level answers a question for epsilon, and how it comes about.
//
// Levels form one Markov chain. It may grow at its two ends only: finer than the finest level (relaxing it), coarser
// than the coarsest (tightening it). In between, the next coarser level that exists is the answer, at its own epsilon.
// Anything else would cost more than the largest level: two moves from one level share no noise, so their losses add
// up.
#pragma once

#include <cstdint>
#include <span>

#include "core/mechanism/epsilon_delta.h"

namespace dp::budget {

struct PathStep {
  enum class Kind : std::uint8_t { existing, relax, tighten };

  Kind kind;
  mechanism::Epsilon level;  // of the answer
  mechanism::Epsilon from;   // the existing level that it is drawn from; itself where it exists
};

// `levels`: those that exist, at least one, in any order.
PathStep step_to(std::span<const mechanism::Epsilon> levels, mechanism::Epsilon epsilon);

}  // namespace dp::budget
