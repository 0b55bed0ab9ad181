// The grid for numeric values: their own type's bounds and rounding, without going through the type's arithmetic for
// each row.
#pragma once

#include "core/accumulate/grid.h"
#include "pg/server.h"

namespace dp::aggregate {

// The numeric that is exactly that integer, or exactly 2^exponent.
Numeric to_numeric(noise::Int128 value);
Numeric numeric_power_of_two(int exponent);

// The shortest decimal that reads back as the double: what was typed.
Numeric numeric_from_double(double value);

class NumericGrid {
 public:
  // The bounds as numeric are the decimals that were typed, so that values are clamped in their own type.
  static NumericGrid make(const RealGrid& grid);

  // round((clamp(value) - origin) / step), halves away from zero. NaN is above every number and the infinities are at
  // the ends.
  std::int64_t steps(Datum value) const;

  std::int64_t low() const { return steps_by_arithmetic(lower_); }
  std::int64_t high() const { return steps_by_arithmetic(upper_); }

 private:
  // Most values are whole multiples of 10000^-places that fit into 128 bits: there the same is computed in integers.
  static constexpr int kMostPlaces = 4;
  struct Scale {
    bool usable;  // all of the following are exact
    noise::Int128 lower;
    noise::Int128 upper;
    noise::Int128 origin;
    noise::Int128 per_step;  // units of 10000^-places in 2^up steps
  };

  std::int64_t steps_by_arithmetic(Numeric value) const;

  Numeric lower_;
  Numeric upper_;
  Numeric origin_;
  Numeric inverse_;  // 2^-exponent, exactly
  unsigned up_;      // differences are multiplied by 2^up before they are divided
  Scale scales_[kMostPlaces + 1];
};

}  // namespace dp::aggregate
