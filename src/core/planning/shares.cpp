#include "core/planning/shares.h"

#include <cmath>
#include <string>

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/error.h"

namespace dp::planning {

using mechanism::decimal;

void check_shares(const char* name, std::span<const double> shares) {
  const std::string what = name;
  if (shares.empty()) throw Error(what + " must not be empty", "Give one share for each category.");
  double sum = 0;
  for (const double share : shares) {
    if (!(share >= 0 && share <= 2)) {
      throw Error(what + " must hold probabilities, not " + decimal(share),
                  "Each one is from 0 to 1 and their sum is 1.");
    }
    sum += share;
  }
  if (!(std::abs(sum - 1) <= 1e-6)) {
    throw Error("sum of " + what + " must be 1, not " + decimal(sum), "Divide each one by their sum.");
  }
}

}  // namespace dp::planning
