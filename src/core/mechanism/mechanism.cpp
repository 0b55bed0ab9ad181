#include "core/mechanism/mechanism.h"

#include <cmath>

#include "core/mechanism/error.h"

namespace dp::mechanism {

Delta delta_of(const Mechanism& mechanism) {
  for (const Value& value : mechanism.values) {
    if (const auto* delta = std::get_if<Delta>(&value)) return *delta;
  }
  return {0};
}

Description describe(const Mechanism& m, Epsilon epsilon, double sensitivity, Lattice lattice) {
  if (!(sensitivity >= 1e-300) || sensitivity > 1e300) {
    throw Error("sensitivity must be a finite number above zero, not " + decimal(sensitivity),
                "Give the most that one row can change the answer: 1 for a count, max(|lower|, |upper|) for a sum.");
  }
  if (lattice == Lattice::integer && (sensitivity != std::floor(sensitivity) || sensitivity > 0x1p53)) {
    throw Error("sensitivity of an integer answer must be a whole number up to 2^53, not " + decimal(sensitivity),
                "Round it up, or describe noise on real numbers: leave out the last argument, integer.");
  }
  Description description = m.family->describe(m, epsilon, sensitivity, lattice);
  const Loss& loss = description.loss;
  if (std::isnan(loss.scale + loss.expected_abs + loss.expected_sq + loss.entropy_bits + loss.interval95)) {
    throw Error("noise at epsilon " + decimal(epsilon.value()) + " and sensitivity " + decimal(sensitivity) +
                    " is beyond what can be described",
                "Use a less extreme epsilon, sensitivity or range.");
  }
  return description;
}

}  // namespace dp::mechanism
