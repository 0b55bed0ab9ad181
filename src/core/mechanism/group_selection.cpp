#include "core/mechanism/group_selection.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"
#include "core/number/real.h"

namespace dp::mechanism {
namespace {

// An upper bound of P(X = k), for k >= 1. It falls in k, for its denominator (1+a) e^{epsilon k} - 2a grows.
Real highest_delta(Epsilon epsilon, std::uint64_t k) {
  static const Real slack("1e-30");  // 50 digits lose at most 20 of them here: 1 - a is at least 10^-9
  const Real e = Real(epsilon.nano) / Epsilon::kPerUnit;
  const Real a = exp(-e);
  return (1 - a) / ((1 + a) * exp(e * k) - 2 * a) * (1 + slack);
}

// The same equation solved for k, in doubles.
std::uint64_t guess(double epsilon, double delta) {
  const double a = std::exp(-epsilon);
  const double k = std::log((-std::expm1(-epsilon) + 2 * delta * a) / ((1 + a) * delta)) / epsilon;
  return static_cast<std::uint64_t>(std::max(std::ceil(k), 1.0));
}

}  // namespace

bool PartitionSelection::keeps(noise::BitSource& bits, noise::Uint128 units) const {
  return units > static_cast<noise::Uint128>(static_cast<noise::Int128>(law.bound) - law.sample(bits));
}

PartitionSelection partition_selection(Epsilon epsilon, Delta delta) {
  if (delta.atto == 0) {
    throw Error("private selection of groups needs a delta above 0",
                "Choose one far below 1 / number of units, for example 1e-9.");
  }
  const Real most = Real(delta.atto) / Delta::kPerUnit;
  std::uint64_t k = guess(epsilon.value(), delta.value());
  while (highest_delta(epsilon, k) > most) ++k;
  while (k > 1 && highest_delta(epsilon, k - 1) <= most) --k;
  return {{{epsilon.per(1)}, k}};
}

}  // namespace dp::mechanism
