#include "guard/rewrite/computed_ranges.h"

#include <cmath>

#include "guard/groups/key_steps.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

// As a value of the type; nothing where it is not one.
std::optional<Datum> as_value(Oid type, double number) {
  constexpr double kMostExact = 9007199254740992;  // up to here each whole number is a double
  if (!std::isfinite(number)) return std::nullopt;
  if (type == FLOAT8OID) return Float8GetDatum(number);
  if (type == FLOAT4OID) return Float4GetDatum(static_cast<float4>(number));
  if (type == NUMERICOID) return DirectFunctionCall1(float8_numeric, Float8GetDatum(number));
  if (std::fabs(number) > kMostExact || number != std::floor(number)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(number);
  if (type == INT8OID || type == TIMESTAMPOID || type == TIMESTAMPTZOID) return Int64GetDatum(whole);
  if (type == INT2OID && whole >= PG_INT16_MIN && whole <= PG_INT16_MAX)
    return Int16GetDatum(static_cast<int16>(whole));
  if ((type == INT4OID || type == DATEOID) && whole >= PG_INT32_MIN && whole <= PG_INT32_MAX)
    return Int32GetDatum(static_cast<int32>(whole));
  return std::nullopt;
}

}  // namespace

std::optional<budget::ColumnRange> range_between(Oid type, double lower, double upper) {
  const auto first = as_value(type, is_whole(type) ? std::floor(lower) : lower);
  const auto last = as_value(type, is_whole(type) ? std::ceil(upper) : upper);
  if (!first || !last) return std::nullopt;
  return budget::ColumnRange{type, *first, *last, "what is declared"};
}

}  // namespace dp::guard
