#include "guard/facts/number_values.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace dp::guard {

bool is_integer(Oid type) { return type == INT2OID || type == INT4OID || type == INT8OID; }

bool is_number(Oid type) {
  return is_integer(type) || type == FLOAT4OID || type == FLOAT8OID || type == NUMERICOID || type == BOOLOID;
}

std::optional<bounds::Number> as_number(Oid type, Datum value) {
  switch (type) {
    case BOOLOID:
      return DatumGetBool(value);
    case INT2OID:
      return DatumGetInt16(value);
    case INT4OID:
    case DATEOID:
      return DatumGetInt32(value);
    case INT8OID:
    case TIMESTAMPOID:
    case TIMESTAMPTZOID:
      return static_cast<bounds::Number>(DatumGetInt64(value));
    case FLOAT4OID:
      return DatumGetFloat4(value);
    case FLOAT8OID:
      return DatumGetFloat8(value);
    case NUMERICOID:
      return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
    default:
      return std::nullopt;
  }
}

bounds::Bounds around_numeric(Datum value) {
  Numeric const number = DatumGetNumeric(value);
  if (numeric_is_nan(number) || numeric_is_inf(number)) return std::nullopt;
  constexpr bounds::Number kInfinity = std::numeric_limits<bounds::Number>::infinity();
  const auto near = std::strtold(DatumGetCString(DirectFunctionCall1(numeric_out, value)), nullptr);
  // Of so many digits each whole number is one, and no other numeric is taken for it.
  constexpr bounds::Number kExact = 1'000'000'000'000'000;
  const bool exact = std::fabs(near) < kExact && std::trunc(near) == near &&
                     DatumGetBool(DirectFunctionCall2(numeric_eq, value, DirectFunctionCall1(numeric_floor, value)));
  if (exact) return bounds::make(near, near);
  return bounds::make(std::nextafter(near, -kInfinity), std::nextafter(near, kInfinity));
}

}  // namespace dp::guard
