#include "core/planning/collusion.h"

#include <string>

#include "core/mechanism/error.h"
#include "core/planning/median.h"

namespace dp::planning {

double collusion_error(const Noise& noise, mechanism::Epsilon epsilon, int k) {
  if (k < 1 || k > kMaxAnswers) {
    throw Error("k must be a whole number from 1 to 1000000, not " + std::to_string(k),
                "k is the number of users who compare their answers.");
  }
  const mechanism::Description description = noise.at(epsilon);
  const double one = description.loss.expected_abs;
  if (k == 1) return one;
  const double median = median_error(description.within, k);
  // The median is no further off than all k together: beyond that, or NaN, the integral has left what doubles hold.
  if (!(median <= k * one * (1 + 1e-6))) {
    throw Error(
        "error of the median at epsilon " + mechanism::decimal(epsilon.value()) + " is beyond what can be computed",
        "Use a less extreme epsilon or sensitivity.");
  }
  return median;
}

}  // namespace dp::planning
