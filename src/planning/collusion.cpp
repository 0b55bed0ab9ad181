#include "planning/collusion.h"

#include <string>

#include "mechanism/error.h"
#include "planning/median.h"

namespace dp::planning {

double collusion_error(const Noise& noise, mechanism::Epsilon epsilon, int k) {
  if (k < 1 || k > kMaxAnswers) {
    throw Error("k must be a whole number from 1 to 1000000, not " + std::to_string(k),
                "k is the number of users who compare their answers.");
  }
  const mechanism::Description description = noise.at(epsilon);
  return k == 1 ? description.loss.expected_abs : median_error(description.within, k);
}

}  // namespace dp::planning
