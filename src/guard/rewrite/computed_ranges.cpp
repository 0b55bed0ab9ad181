#include "guard/rewrite/computed_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "guard/groups/key_steps.h"
#include "pg/planner.h"

namespace dp::guard {
namespace {

// As a value of the type; nothing where it is not one.
std::optional<Datum> as_value(Oid type, bounds::Number number, bool upper) {
  constexpr bounds::Number kMostExact = std::int64_t{1} << std::min(std::numeric_limits<bounds::Number>::digits, 62);
  const double real = upper ? bounds::double_above(number) : bounds::double_below(number);
  if (type == FLOAT8OID) return Float8GetDatum(real);
  if (type == FLOAT4OID) return Float4GetDatum(static_cast<float4>(real));
  if (type == NUMERICOID) return DirectFunctionCall1(float8_numeric, Float8GetDatum(real));
  if (is_discrete(type)) number = upper ? std::ceil(number) : std::floor(number);
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

std::optional<budget::ColumnRange> range_between(Oid type, const bounds::Interval& bounds) {
  const auto first = as_value(type, bounds.lower, false), last = as_value(type, bounds.upper, true);
  if (!first || !last) return std::nullopt;
  return budget::ColumnRange{type, *first, *last, "what is declared"};
}

}  // namespace dp::guard
