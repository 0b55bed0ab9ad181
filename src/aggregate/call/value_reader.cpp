#include "aggregate/call/value_reader.h"

#include <algorithm>

#include "pg/errors.h"

namespace dp::aggregate {

Bounds ends_of(Oid type) {
  switch (type) {
    case INT2OID:
      return {-0x1p15, 0x1p15 - 1};
    case INT4OID:
      return {-0x1p31, 0x1p31 - 1};
    case INT8OID:
      return {-0x1p63, 0x1p63};
    default:
      return RealGrid::kOpen;
  }
}

Reader Reader::make(const Arguments& arguments, Origin origin, int integer_bits, int bounds_position) {
  Reader reader{};
  reader.type = arguments.type(0);
  constexpr Oid kTypes[] = {INT2OID, INT4OID, INT8OID, FLOAT8OID, NUMERICOID};
  if (std::find(std::begin(kTypes), std::end(kTypes), reader.type) == std::end(kTypes)) arguments.refuse_signature();
  const Bounds given{arguments.number(bounds_position, "lower bound"),
                     arguments.number(bounds_position + 1, "upper bound")};
  reader.open = origin == Origin::zero && is_open(given);
  reader.bounds =
      reader.open ? checked_open_bounds(given, ends_of(reader.type)) : checked_bounds(given.lower, given.upper);
  if (reader.reads_integers()) {
    reader.integer = IntegerGrid::make(reader.bounds, origin, integer_bits);
    reader.exponent = reader.integer.exponent;
    reader.low = reader.integer.steps(reader.integer.low);
    reader.high = reader.integer.steps(reader.integer.high);
    return reader;
  }
  const RealGrid grid = reader.open ? RealGrid::make_open(reader.bounds) : RealGrid::make(reader.bounds, origin);
  reader.exponent = grid.exponent;
  if (reader.type == FLOAT8OID) {
    reader.real = grid;
    reader.low = grid.steps(grid.bounds.lower);
    reader.high = grid.steps(grid.bounds.upper);
  } else {
    reader.numeric = NumericGrid::make(grid);
    reader.low = reader.numeric.low();
    reader.high = reader.numeric.high();
  }
  return reader;
}

}  // namespace dp::aggregate
