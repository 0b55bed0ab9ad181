// Reads a row's value as steps of its grid, for each type that dp_sum, dp_avg and the like accept.
#pragma once

#include "aggregate/grid.h"

#include "aggregate/arguments_sql.h"
#include "pg/server.h"

namespace dp::aggregate {

// The bounds as numeric are the decimals that were typed, so that numeric values are clamped in their own type.
struct NumericGrid {
  Numeric lower;
  Numeric upper;
  Numeric origin;
  Numeric inverse;  // 2^-exponent, exactly

  std::int64_t steps(Numeric value) const;
};

struct Reader {
  Oid type;  // INT2OID, INT4OID, INT8OID, FLOAT8OID or NUMERICOID
  union {
    IntegerGrid integer;
    RealGrid real;
    NumericGrid numeric;
  };
  Bounds bounds;
  int exponent;      // a step is 2^exponent
  std::int64_t low;  // the steps of the lower bound: every row's steps lie in [low, high]
  std::int64_t high;

  // The value stands at position 0 of the call, the bounds at `bounds_position` and the next one. Whole numbers get at most
  // 2^integer_bits steps.
  static Reader make(const Arguments& arguments, Origin origin, int integer_bits, int bounds_position = 1);

  bool reads_integers() const { return type != FLOAT8OID && type != NUMERICOID; }
  mechanism::Lattice lattice() const {
    using Kind = mechanism::Lattice::Kind;
    return {reads_integers() ? Kind::integer : Kind::fine, exponent};
  }

  std::int64_t steps(Datum value) const {
    switch (type) {
      case INT2OID:
        return integer.steps(DatumGetInt16(value));
      case INT4OID:
        return integer.steps(DatumGetInt32(value));
      case INT8OID:
        return integer.steps(DatumGetInt64(value));
      case FLOAT8OID:
        return real.steps(DatumGetFloat8(value));
      default:
        return numeric.steps(DatumGetNumeric(value));
    }
  }
};

// The numeric that is exactly that integer, or exactly 2^exponent.
Numeric to_numeric(noise::Int128 value);
Numeric numeric_power_of_two(int exponent);

}  // namespace dp::aggregate
