// Dividing a budget among coordinates that change together, by basic composition.
#pragma once

#include <string>

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/error.h"

namespace dp::mechanism {

struct Shares {
  Epsilon epsilon;
  Delta delta;
};

// epsilon/coordinates and delta/coordinates, rounded down. Throws dp::Error where nothing would be left of one of them.
inline Shares share_of(Epsilon epsilon, Delta delta, unsigned coordinates) {
  const Shares shares{{epsilon.nano / coordinates}, {delta.atto / coordinates}};
  if (shares.epsilon.nano == 0 || shares.delta.atto == 0) {
    throw Error("epsilon " + decimal(epsilon.value()) + " and delta " + decimal(delta.value()) + " are too small for " +
                    std::to_string(coordinates) + " numbers that change together",
                "Use a larger epsilon or delta, or the mechanism geometric.");
  }
  return shares;
}

}  // namespace dp::mechanism
