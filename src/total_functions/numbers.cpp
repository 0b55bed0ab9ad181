// dp_add, dp_sub, dp_mul, dp_div, dp_mod: what PostgreSQL's + - * / % give, and NULL where these raise an error: on
// overflow (of floating point also on underflow) and on division by zero.
#include <cmath>
#include <optional>

#include "pg/attempts.h"
#include "total_functions/registry.h"

namespace {

// ---- integers -----------------------------------------------------------------------------------------------------

template <class Integer>
std::optional<Integer> add(Integer x, Integer y) {
  Integer result;
  return __builtin_add_overflow(x, y, &result) ? std::nullopt : std::optional(result);
}

template <class Integer>
std::optional<Integer> sub(Integer x, Integer y) {
  Integer result;
  return __builtin_sub_overflow(x, y, &result) ? std::nullopt : std::optional(result);
}

template <class Integer>
std::optional<Integer> mul(Integer x, Integer y) {
  Integer result;
  return __builtin_mul_overflow(x, y, &result) ? std::nullopt : std::optional(result);
}

template <class Integer>
std::optional<Integer> div(Integer x, Integer y) {
  if (y == 0) return std::nullopt;
  if (y == -1) return sub(Integer{0}, x);  // the processor traps on the smallest integer
  return static_cast<Integer>(x / y);
}

template <class Integer>
std::optional<Integer> mod(Integer x, Integer y) {
  if (y == 0) return std::nullopt;
  return y == -1 ? Integer{0} : static_cast<Integer>(x % y);
}

// ---- floating point -----------------------------------------------------------------------------------------------

// An infinity that came from finite numbers is an overflow, a zero that came from other numbers an underflow.
std::optional<double> sum(double x, double y) {
  const double result = x + y;
  if (std::isinf(result) && !std::isinf(x) && !std::isinf(y)) return std::nullopt;
  return result;
}

std::optional<double> product(double x, double y) {
  const double result = x * y;
  if (std::isinf(result) && !std::isinf(x) && !std::isinf(y)) return std::nullopt;
  if (result == 0 && x != 0 && y != 0) return std::nullopt;
  return result;
}

std::optional<double> quotient(double x, double y) {
  if (y == 0 && !std::isnan(x)) return std::nullopt;
  const double result = x / y;
  if (std::isinf(result) && !std::isinf(x)) return std::nullopt;
  if (result == 0 && x != 0 && !std::isinf(y)) return std::nullopt;
  return result;
}

// ---- numeric ------------------------------------------------------------------------------------------------------

Datum attempted(FunctionCallInfo fcinfo, Numeric (*operation)(Numeric, Numeric, bool*)) {
  bool failed = false;
  const Numeric result = operation(PG_GETARG_NUMERIC(0), PG_GETARG_NUMERIC(1), &failed);
  if (failed) PG_RETURN_NULL();
  PG_RETURN_NUMERIC(result);
}

}  // namespace

#define DP_TOTAL_OPERATION(name, type, operation)                            \
  DP_TOTAL_FUNCTION(name) {                                                  \
    const auto result = operation(PG_GETARG_##type(0), PG_GETARG_##type(1)); \
    if (!result) PG_RETURN_NULL();                                           \
    PG_RETURN_##type(*result);                                               \
  }

DP_TOTAL_OPERATION(dp_add_int2, INT16, add<int16>)
DP_TOTAL_OPERATION(dp_sub_int2, INT16, sub<int16>)
DP_TOTAL_OPERATION(dp_mul_int2, INT16, mul<int16>)
DP_TOTAL_OPERATION(dp_div_int2, INT16, div<int16>)
DP_TOTAL_OPERATION(dp_mod_int2, INT16, mod<int16>)

DP_TOTAL_OPERATION(dp_add_int4, INT32, add<int32>)
DP_TOTAL_OPERATION(dp_sub_int4, INT32, sub<int32>)
DP_TOTAL_OPERATION(dp_mul_int4, INT32, mul<int32>)
DP_TOTAL_OPERATION(dp_div_int4, INT32, div<int32>)
DP_TOTAL_OPERATION(dp_mod_int4, INT32, mod<int32>)

DP_TOTAL_OPERATION(dp_add_int8, INT64, add<int64>)
DP_TOTAL_OPERATION(dp_sub_int8, INT64, sub<int64>)
DP_TOTAL_OPERATION(dp_mul_int8, INT64, mul<int64>)
DP_TOTAL_OPERATION(dp_div_int8, INT64, div<int64>)
DP_TOTAL_OPERATION(dp_mod_int8, INT64, mod<int64>)

DP_TOTAL_OPERATION(dp_add_float8, FLOAT8, sum)
DP_TOTAL_OPERATION(dp_mul_float8, FLOAT8, product)
DP_TOTAL_OPERATION(dp_div_float8, FLOAT8, quotient)
DP_TOTAL_FUNCTION(dp_sub_float8) {
  const auto result = sum(PG_GETARG_FLOAT8(0), -PG_GETARG_FLOAT8(1));
  if (!result) PG_RETURN_NULL();
  PG_RETURN_FLOAT8(*result);
}

DP_TOTAL_FUNCTION(dp_add_numeric) { return attempted(fcinfo, dp::pg::add); }
DP_TOTAL_FUNCTION(dp_sub_numeric) { return attempted(fcinfo, dp::pg::subtract); }
DP_TOTAL_FUNCTION(dp_mul_numeric) { return attempted(fcinfo, dp::pg::multiply); }
DP_TOTAL_FUNCTION(dp_div_numeric) { return attempted(fcinfo, dp::pg::divide); }
DP_TOTAL_FUNCTION(dp_mod_numeric) { return attempted(fcinfo, dp::pg::remainder); }
