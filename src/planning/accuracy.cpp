#include "planning/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/error.h"
#include "mechanism/text.h"

namespace dp::planning {
namespace {

using mechanism::decimal;
using mechanism::Epsilon;

constexpr std::uint64_t kMaxNano = 1'000'000 * Epsilon::kPerUnit;

void check_confidence(double confidence) {
  if (confidence > 0 && confidence < 1) return;
  throw Error("confidence must be a number between 0 and 1, not " + decimal(confidence), "Give 0.95 for 95 percent.");
}

void check_distance(const char* name, double distance) {
  if (distance >= 0 && distance <= std::numeric_limits<double>::max()) return;
  throw Error(std::string(name) + " must be a finite number from 0, not " + decimal(distance),
              "Give the distance between answer and true value that is still useful, in units of the answer.");
}

}  // namespace

double usefulness(const Noise& noise, Epsilon epsilon, double gamma) {
  check_distance("gamma", gamma);
  return noise.at(epsilon).within(gamma);
}

double half_width(const Noise& noise, Epsilon epsilon, double confidence) {
  check_confidence(confidence);
  return quantile(noise.at(epsilon).within, confidence);
}

Epsilon epsilon_for(const Noise& noise, double error, double confidence) {
  check_distance("error", error);
  check_confidence(confidence);
  const auto good = [&](std::uint64_t nano) { return noise.at({nano}).within(error) >= confidence; };
  std::uint64_t fails = 0, holds = 1;
  while (!good(holds)) {
    if (holds == kMaxNano) {
      throw Error(
          "no epsilon up to 1e6 keeps the error of " + mechanism::format(noise.mechanism) + " within " +
              decimal(error) + " with confidence " + decimal(confidence),
          "Allow a larger error or a lower confidence, or take a mechanism for whole numbers: \"integer\" => true.");
    }
    fails = holds;
    holds = std::min(2 * holds, kMaxNano);
  }
  return {bisect(fails, holds, good)};
}

}  // namespace dp::planning
