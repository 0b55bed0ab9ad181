#include "aggregate/call/value_reader.h"

#include <algorithm>

#include "pg/errors.h"

namespace dp::aggregate {
Reader Reader::make(const Arguments& arguments, Origin origin, int integer_bits, int bounds_position) {
  Reader reader{};
  reader.type = arguments.type(0);
  constexpr Oid kTypes[] = {INT2OID, INT4OID, INT8OID, FLOAT8OID, NUMERICOID};
  if (std::find(std::begin(kTypes), std::end(kTypes), reader.type) == std::end(kTypes)) arguments.refuse_signature();
  reader.bounds = checked_bounds(arguments.number(bounds_position, "lower bound"),
                                 arguments.number(bounds_position + 1, "upper bound"));
  if (reader.reads_integers()) {
    reader.integer = IntegerGrid::make(reader.bounds, origin, integer_bits);
    reader.exponent = reader.integer.exponent;
    reader.low = reader.integer.steps(reader.integer.low);
    reader.high = reader.integer.steps(reader.integer.high);
    return reader;
  }
  const RealGrid grid = RealGrid::make(reader.bounds, origin);
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
