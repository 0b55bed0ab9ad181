#include "core/accumulate/quantile.h"

#include <algorithm>
#include <cmath>

#include "core/mechanism/error.h"

namespace dp::aggregate {

Fraction Fraction::from(double value) {
  if (!(value >= 0 && value <= 1)) {
    throw Error("fraction must be a number from 0 to 1, not " + mechanism::decimal(value),
                "The median is 0.5, the upper quartile 0.75: dp_quantile(x, 0.75, 0, 100, 0.5).");
  }
  return {static_cast<std::uint32_t>(std::llrint(value * kPerUnit))};
}

double QuantileGrid::value(std::int64_t point, double lower, double upper) const {
  // A long double has 64 bits of mantissa, so both ends of the grid are exact.
  const long double weighted = static_cast<long double>(lower) * static_cast<long double>(cells - point) +
                               static_cast<long double>(upper) * static_cast<long double>(point);
  return static_cast<double>(weighted / static_cast<long double>(cells));
}

std::vector<noise::Utility> quantile_utilities(std::span<const std::uint64_t> counts, Fraction fraction) {
  using noise::Utility;
  Utility rows = 0;
  for (const std::uint64_t count : counts) rows += count;
  const Utility one = Fraction::kPerUnit;
  const Utility rank = (rows - 1) * fraction.nano + one / 2;
  std::vector<Utility> utilities;
  utilities.reserve(counts.size());
  Utility through = 0;
  for (const std::uint64_t count : counts) {
    const Utility before = through;
    through += count;
    utilities.push_back(-std::max({Utility{0}, before * one - rank, rank - through * one}));
  }
  return utilities;
}

}  // namespace dp::aggregate
