#include "core/planning/tradeoff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mechanism/error.h"

namespace dp::planning {
namespace {

using mechanism::decimal;
using mechanism::Epsilon;

double entropy_bits(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) {
    if (p > 0) sum -= p * std::log2(p);
  }
  return sum;
}

TradeoffPoint choice_point(double expected_error, std::span<const double> probabilities) {
  const double entropy = entropy_bits(probabilities);
  const std::size_t n = probabilities.size();
  TradeoffPoint point{expected_error, entropy, {}, {}};
  if (n > 1) point.one_minus_ne = std::max(0.0, 1 - entropy / std::log2(n));
  return point;
}

}  // namespace

EpsilonRange EpsilonRange::checked(double from, double to, int steps) {
  const EpsilonRange range{Epsilon::from(from), Epsilon::from(to), steps};
  if (range.from.nano > range.to.nano) {
    throw Error("eps_from must not be above eps_to: " + decimal(from) + " > " + decimal(to),
                "Give the smaller epsilon first.");
  }
  if (steps < 1 || steps > kMaxSteps) {
    throw Error("steps must be a whole number from 1 to 100000, not " + std::to_string(steps),
                "steps is the number of rows; 20 is enough for a curve.");
  }
  return range;
}

Epsilon EpsilonRange::at(int i) const {
  if (i == 0) return from;
  const noise::Uint128 passed = noise::Uint128{to.nano - from.nano} * static_cast<unsigned>(i);
  return {from.nano + static_cast<std::uint64_t>(passed / static_cast<unsigned>(steps - 1))};
}

TradeoffPoint noise_point(const Noise& noise, Epsilon epsilon, double t) {
  const mechanism::Description description = noise.at(epsilon);
  return {description.loss.expected_abs, description.loss.entropy_bits, description.phi(t), {}};
}

TradeoffPoint exponential_point(std::span<const double> utilities, double sensitivity, Epsilon epsilon) {
  const double best = *std::max_element(utilities.begin(), utilities.end());
  std::vector<double> probabilities;
  double total = 0, missed = 0;
  for (const double utility : utilities) {
    const double weight = std::exp((utility - best) / sensitivity * epsilon.value() / 2);
    probabilities.push_back(weight);
    total += weight;
    if (weight > 0) missed += weight * (best - utility);
  }
  for (double& p : probabilities) p /= total;
  return choice_point(missed / total, probabilities);
}

TradeoffPoint response_point(std::span<const double> shares, Epsilon epsilon) {
  const double others = static_cast<double>(shares.size()) - 1;
  const double inverse = std::exp(-epsilon.value());
  const double lie = inverse / (others * inverse + 1);  // of one certain other category
  std::vector<double> probabilities;
  for (const double share : shares) probabilities.push_back(share * (1 - others * lie) + (1 - share) * lie);
  return choice_point(others * lie, probabilities);
}

void check_argument(double t) {
  if (std::isfinite(t)) return;
  throw Error("t must be a finite number, not " + decimal(t),
              "t is the argument of the characteristic function, for example 1.");
}

void check_utilities(std::span<const double> utilities, double sensitivity) {
  if (utilities.empty()) throw Error("utilities must not be empty", "Give one utility for each possible answer.");
  for (const double utility : utilities) {
    if (!(std::abs(utility) <= 1e300)) {
      throw Error("utilities must be finite numbers, not " + decimal(utility),
                  "Leave out answers that are impossible.");
    }
  }
  if (!(sensitivity >= 1e-300 && sensitivity <= 1e300)) {
    throw Error("sensitivity must be a finite number above zero, not " + decimal(sensitivity),
                "Give the most that one row can change a utility.");
  }
}

}  // namespace dp::planning
