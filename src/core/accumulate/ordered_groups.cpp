#include "core/accumulate/ordered_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/accumulate/noisy_answer.h"
#include "core/mechanism/loss.h"

namespace dp::aggregate {
namespace {

// In a vector a number keeps its own alignment.
struct Number {
  noise::Int128 value;
};

// So that their weighted sum is an integer of 127 bits, refined.
constexpr unsigned kDrawnBits = 126;
constexpr unsigned kBitsOfGroups = 13;
static_assert(kMostCumulated < 1 << kBitsOfGroups);

}  // namespace

mechanism::Changes changes_of_ordered(const PrefixSums& longest, const mechanism::Changes& of_groups) {
  mechanism::Changes changes = longest.changes().times(of_groups.l1);
  changes.coordinates = static_cast<unsigned>(std::min<std::uint64_t>(
      std::uint64_t{changes.coordinates} * of_groups.coordinates, std::numeric_limits<int>::max()));
  return changes;
}

std::vector<long double> noisy_totals(const PrefixSums& sums, noise::Int128View exact,
                                      const mechanism::Calibration& calibration, noise::BitSource& bits) {
  const unsigned taken = static_cast<unsigned>(sums.scale()) + calibration.refinement + kBitsOfGroups;
  const noise::Int128 most = taken < kDrawnBits ? noise::Int128{1} << (kDrawnBits - taken) : 0;
  std::vector<Number> numbers(exact.size), integers(static_cast<std::size_t>(sums.integers()));
  for (std::size_t i = 0; i < exact.size; ++i) numbers[i].value = std::clamp<noise::Int128>(exact[i], -most, most);
  sums.put_integers({&numbers.data()->value, numbers.size()}, &integers.data()->value);
  noised({&integers.data()->value, integers.size()}, calibration, bits, &integers.data()->value);
  return sums.long_sums_of({&integers.data()->value, integers.size()}, calibration.refinement);
}

double variance_of_integer(const PrefixSums& sums, const mechanism::Calibration& calibration) {
  const int scale = static_cast<int>(calibration.refinement) + sums.scale();
  return std::ldexp(mechanism::loss(calibration.law).expected_sq, -2 * scale);
}

}  // namespace dp::aggregate
