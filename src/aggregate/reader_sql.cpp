#include <algorithm>
#include <charconv>

#include "aggregate/reader_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Numeric numeric_from_text(const char* text) {
  return DatumGetNumeric(
      DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

// The shortest decimal that reads back as the double: what was typed.
Numeric numeric_from_double(double value) {
  char text[40];
  *std::to_chars(text, text + sizeof text - 1, value).ptr = '\0';
  return numeric_from_text(text);
}

int compare(Numeric a, Numeric b) {
  return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(a), NumericGetDatum(b)));
}

Datum multiply(Numeric a, Numeric b) {
  return DirectFunctionCall2(numeric_mul, NumericGetDatum(a), NumericGetDatum(b));
}

}  // namespace

Numeric to_numeric(noise::Int128 value) {
  char text[48];
  char* digit = text + sizeof text;
  *--digit = '\0';
  noise::Uint128 rest = value < 0 ? -static_cast<noise::Uint128>(value) : static_cast<noise::Uint128>(value);
  do {
    *--digit = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) *--digit = '-';
  return numeric_from_text(digit);
}

Numeric numeric_power_of_two(int exponent) {
  // 2^-k = 5^k / 10^k: as many decimals as k, all of them kept by numeric_mul.
  const Numeric base = numeric_from_text(exponent < 0 ? "0.5" : "2");
  Numeric power = numeric_from_text("1");
  for (int i = 0; i < std::abs(exponent); ++i) power = DatumGetNumeric(multiply(power, base));
  return power;
}

// NaN is above every number and the infinities are at the ends, so comparing clamps all of them.
std::int64_t NumericGrid::steps(Numeric value) const {
  if (compare(value, upper) > 0) value = upper;
  if (compare(value, lower) < 0) value = lower;
  const Numeric above =
      DatumGetNumeric(DirectFunctionCall2(numeric_sub, NumericGetDatum(value), NumericGetDatum(origin)));
  return DatumGetInt64(DirectFunctionCall1(numeric_int8, multiply(above, inverse)));  // rounds to the nearest
}

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
    reader.numeric = {numeric_from_double(grid.bounds.lower), numeric_from_double(grid.bounds.upper),
                      numeric_from_double(grid.origin), numeric_power_of_two(-grid.exponent)};
    reader.low = reader.numeric.steps(reader.numeric.lower);
    reader.high = reader.numeric.steps(reader.numeric.upper);
  }
  return reader;
}

}  // namespace dp::aggregate
