// The grid: how a row's value becomes a whole number of steps.
//
// It is chosen from the declared bounds alone, never from data. Clamping, shifting and rounding are all monotone, so a
// row's steps lie between those of the bounds, and the sensitivity is computed from these by the very function that
// maps rows. NaN counts as the upper bound: PostgreSQL sorts it above every number, so this is what LEAST(GREATEST(x,
// lower), upper) says.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/noise/integers.h"

namespace dp::aggregate {

// At most this many steps between zero and the far bound (or between the bounds, where the origin is the lower one).
inline constexpr double kRealSteps = 0x1p32;

struct Bounds {
  double lower;
  double upper;
};

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

// The declared bounds of an aggregate. Throws dp::Error unless both are finite and lower < upper.
Bounds checked_bounds(double lower, double upper);

// Whether nobody says where values end, on one side or both.
inline bool is_open(const Bounds& bounds) {
  return bounds.lower < bounds.upper && (bounds.lower == -kEndless || bounds.upper == kEndless);
}

// The bounds of a sum, of which an open end becomes that of `type`. Throws dp::Error unless that leaves lower < upper.
Bounds checked_open_bounds(const Bounds& bounds, const Bounds& type);

// Where steps are counted from.
enum class Origin {
  zero,   // sums: one row changes the sum by its own steps
  lower,  // means and moments: steps are those above the lower bound
};

// Steps of size 2^exponent for float8 values.
struct RealGrid {
  Bounds bounds;
  double origin;
  double inverse;  // 2^-exponent, so that a product with it is exact
  int exponent;

  // At most 2^bits steps. Throws dp::Error where the step would leave the range of a double.
  static RealGrid make(const Bounds& bounds, Origin origin, int bits = 32);

  // Of sums where a bound is infinite: steps of 2^-20 between kOpen and the other bound.
  static constexpr Bounds kOpen{-0x1p42, 0x1p42};
  static RealGrid make_open(const Bounds& bounds);

  std::int64_t steps(double value) const {
    // In this order the two comparisons are one instruction each, and the first one takes NaN to the upper bound.
    value = value < bounds.upper ? value : bounds.upper;
    value = value > bounds.lower ? value : bounds.lower;
    return std::lrint((value - origin) * inverse);
  }
};

// The same for int2, int4 and int8 values: whole numbers between the rounded bounds, in steps of 2^exponent, exponent
// >= 0.
struct IntegerGrid {
  std::int64_t low;
  std::int64_t high;
  std::int64_t origin;
  int exponent;

  // The finest step with at most 2^max_bits steps, one where possible. Throws dp::Error where the bounds round to
  // the same number and the origin is the lower one, or both to zero.
  static IntegerGrid make(const Bounds& bounds, Origin origin, int max_bits);

  std::int64_t steps(std::int64_t value) const {
    if (value > high) value = high;
    if (value < low) value = low;
    // Fewer than 2^64 units lie above the lower end, from where they are counted if steps are coarser than units.
    const std::uint64_t above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(origin);
    if (exponent == 0) return static_cast<std::int64_t>(above);
    return static_cast<std::int64_t>((above >> exponent) + (above >> (exponent - 1) & 1));
  }
};

}  // namespace dp::aggregate
