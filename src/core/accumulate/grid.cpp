#include "core/accumulate/grid.h"

#include <limits>
#include <string>

#include "core/mechanism/epsilon_delta.h"
#include "core/mechanism/error.h"

namespace dp::aggregate {
namespace {

using mechanism::decimal;

std::string shown(const Bounds& bounds) { return "bounds " + decimal(bounds.lower) + " and " + decimal(bounds.upper); }

// The nearest int64, the ends of its range for what lies beyond.
std::int64_t nearest(double value) {
  if (value >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<std::int64_t>::min();
  return std::llrint(value);
}

}  // namespace

Bounds checked_bounds(double lower, double upper) {
  const Bounds bounds{lower, upper};
  if (!std::isfinite(lower) || !std::isfinite(upper)) {
    throw Error(shown(bounds) + " must be finite numbers",
                "Give the range that values are clamped to, for example 0, 120.");
  }
  if (lower >= upper) {
    throw Error("lower bound " + decimal(lower) + " must be below upper bound " + decimal(upper),
                "The lower bound comes first, for example dp_sum(age, 0, 120, 0.5).");
  }
  return bounds;
}

Bounds checked_open_bounds(const Bounds& bounds, const Bounds& type) {
  return checked_bounds(bounds.lower == -kEndless ? type.lower : bounds.lower,
                        bounds.upper == kEndless ? type.upper : bounds.upper);
}

RealGrid RealGrid::make_open(const Bounds& bounds) {
  const Bounds kept{std::fmax(bounds.lower, kOpen.lower), std::fmin(bounds.upper, kOpen.upper)};
  return {kept, 0.0, 0x1p20, -20};
}

RealGrid RealGrid::make(const Bounds& bounds, Origin origin, int bits) {
  const bool from_lower = origin == Origin::lower;
  const double reach =
      from_lower ? bounds.upper - bounds.lower : std::fmax(std::fabs(bounds.lower), std::fabs(bounds.upper));
  int exponent;
  const double fraction = std::frexp(reach, &exponent);  // reach = fraction * 2^exponent, fraction in [1/2, 1)
  exponent -= fraction == 0.5 ? bits + 1 : bits;
  if (!std::isfinite(reach) || exponent < -1022) {
    throw Error(
        shown(bounds) + (std::isfinite(reach) ? " are too close to each other or to zero" : " are too far apart"),
        "Use bounds whose size is between 1e-290 and 1e308, or scale the values.");
  }
  return {bounds, from_lower ? bounds.lower : 0.0, std::ldexp(1.0, -exponent), exponent};
}

IntegerGrid IntegerGrid::make(const Bounds& bounds, Origin origin, int max_bits) {
  const std::int64_t low = nearest(bounds.lower);
  const std::int64_t high = nearest(bounds.upper);
  const bool from_lower = origin == Origin::lower;
  if (low == high && (from_lower || low == 0)) {
    throw Error(shown(bounds) + " are the same whole number", "Widen the bounds, or cast the values to float8.");
  }
  IntegerGrid grid{low, high, from_lower ? low : 0, 0};
  if (from_lower) {
    const noise::Int128 range = static_cast<noise::Int128>(high) - low;
    while (((range + (noise::Int128{1} << grid.exponent) / 2) >> grid.exponent) > noise::Int128{1} << max_bits)
      ++grid.exponent;
  }
  return grid;
}

}  // namespace dp::aggregate
