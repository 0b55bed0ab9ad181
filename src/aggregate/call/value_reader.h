// Reads a row's value as steps of its grid, for each type that dp_sum, dp_avg and the like accept.
#pragma once

#include "aggregate/call/arguments.h"
#include "aggregate/call/numeric_grid.h"
#include "core/accumulate/grid.h"
#include "pg/server.h"

namespace dp::aggregate {

// Between which numbers all values of one of these types count where a bound is infinite.
Bounds ends_of(Oid type);

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
  bool open;  // a bound was infinite, and what rows add is to be limited in another way

  // The value stands at position 0 of the call, the bounds at `bounds_position` and the next one. Whole numbers get at
  // most 2^integer_bits steps. Bounds of sums (Origin::zero) may be infinite.
  static Reader make(const Arguments& arguments, Origin origin, int integer_bits, int bounds_position = 1);

  bool reads_integers() const { return type != FLOAT8OID && type != NUMERICOID; }
  mechanism::Lattice lattice() const {
    using Kind = mechanism::Lattice::Kind;
    return {reads_integers() ? Kind::integer : Kind::fine, exponent};
  }

  // What `f` returns for the type as its template argument: what is done for each row need not ask for the type.
  template <class F>
  auto with_type(F f) const {
    switch (type) {
      case INT2OID:
        return f.template operator()<INT2OID>();
      case INT4OID:
        return f.template operator()<INT4OID>();
      case INT8OID:
        return f.template operator()<INT8OID>();
      case FLOAT8OID:
        return f.template operator()<FLOAT8OID>();
      default:
        return f.template operator()<NUMERICOID>();
    }
  }

  template <Oid kType>
  std::int64_t steps_of(Datum value) const {
    if constexpr (kType == INT2OID) return integer.steps(DatumGetInt16(value));
    if constexpr (kType == INT4OID) return integer.steps(DatumGetInt32(value));
    if constexpr (kType == INT8OID) return integer.steps(DatumGetInt64(value));
    if constexpr (kType == FLOAT8OID) return real.steps(DatumGetFloat8(value));
    if constexpr (kType == NUMERICOID) return numeric.steps(value);
  }

  std::int64_t steps(Datum value) const {
    return with_type([&]<Oid kType>() { return steps_of<kType>(value); });
  }
};

}  // namespace dp::aggregate
