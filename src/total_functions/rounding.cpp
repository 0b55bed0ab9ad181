// dp_bucket(value, width): the largest multiple of width that is not above the value; dp_round(value, digits). NULL
// where the width is not a positive number, and where the result is out of range.
#include <cmath>

#include "pg/attempts.h"
#include "total_functions/attempt.h"

namespace {

// ---- integers -----------------------------------------------------------------------------------------------------

template <class Integer>
bool floor_to(Integer value, Integer width, Integer* result) {
  if (width <= 0) return false;
  Integer above = value % width;
  if (above < 0) above = static_cast<Integer>(above + width);
  return !__builtin_sub_overflow(value, above, result);
}

// ---- floating point -----------------------------------------------------------------------------------------------

// The remainder of two doubles is exact. The result is a multiple computed from its number, so one double for each
// bucket.
bool floor_to(double value, double width, double* result) {
  if (!(width > 0) || std::isinf(width)) return false;
  if (!std::isfinite(value)) {
    *result = value;
    return true;
  }
  double above = std::fmod(value, width);
  if (above < 0) above += width;
  *result = std::rint((value - above) / width) * width;
  return std::isfinite(*result);
}

// ---- numeric ------------------------------------------------------------------------------------------------------

int compare(Numeric x, Numeric y) {
  return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(x), NumericGetDatum(y)));
}

bool floor_to(Numeric value, Numeric width, Numeric* result) {
  const Numeric zero = int64_to_numeric(0);
  if (numeric_is_nan(width) || numeric_is_inf(width) || compare(width, zero) <= 0) return false;
  *result = value;
  if (numeric_is_nan(value) || numeric_is_inf(value)) return true;
  bool failed = false;
  Numeric above = dp::pg::remainder(value, width, &failed);
  if (!failed && compare(above, zero) < 0) above = dp::pg::add(above, width, &failed);
  if (!failed) *result = dp::pg::subtract(value, above, &failed);
  if (failed) return false;
  // Written with the width's digits, not with those of the value: one form for each bucket.
  *result = DatumGetNumeric(DirectFunctionCall2(numeric_trunc, NumericGetDatum(*result),
                                                DirectFunctionCall1(numeric_scale, NumericGetDatum(width))));
  return true;
}

}  // namespace

#define DP_TOTAL_BUCKET(name, type, native)                                             \
  DP_TOTAL_FUNCTION(name) {                                                             \
    native result;                                                                      \
    if (!floor_to(PG_GETARG_##type(0), PG_GETARG_##type(1), &result)) PG_RETURN_NULL(); \
    PG_RETURN_##type(result);                                                           \
  }

DP_TOTAL_BUCKET(dp_bucket_int4, INT32, int32)
DP_TOTAL_BUCKET(dp_bucket_int8, INT64, int64)
DP_TOTAL_BUCKET(dp_bucket_float8, FLOAT8, double)
DP_TOTAL_BUCKET(dp_bucket_numeric, NUMERIC, Numeric)

// dp_round(value numeric, digits integer) returns numeric.
DP_TOTAL_FUNCTION(dp_round_numeric) {
  DP_RETURN_ATTEMPT(DirectFunctionCall2(numeric_round, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}
