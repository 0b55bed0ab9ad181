// dp_internal.try_int4, abs, floor, ceil, to_numeric, at_zone, to_char, date_bin: what PostgreSQL's casts and
// functions of these names give, and NULL where these raise an error. Nobody has to write them: below private
// aggregates they stand in the place of PostgreSQL's (guard/forms/total_forms.h).
#include "total_functions/attempt.h"

namespace {

// A moment that a time zone has carried beyond the range is not always found out by PostgreSQL.
Datum in_range(Datum moment) {
  const Timestamp at = DatumGetTimestamp(moment);
  if (TIMESTAMP_NOT_FINITE(at) || IS_VALID_TIMESTAMP(at)) return moment;
  ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("timestamp out of range")));
  pg_unreachable();
}

// Whether the moment is written at all: infinite ones are not. Patterns are short; a long one would make long texts of
// short rows.
bool is_written(Datum moment, const text* pattern) {
  constexpr Size kLongest = 200;
  const Size length = VARSIZE_ANY_EXHDR(pattern);
  return length > 0 && length <= kLongest && !TIMESTAMP_NOT_FINITE(DatumGetTimestamp(moment));
}

}  // namespace

#define DP_TOTAL_ONE(name, function) \
  DP_TOTAL_FUNCTION(name) { DP_RETURN_ATTEMPT(DirectFunctionCall1(function, PG_GETARG_DATUM(0))); }
#define DP_TOTAL_TWO(name, function) \
  DP_TOTAL_FUNCTION(name) { DP_RETURN_ATTEMPT(DirectFunctionCall2(function, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1))); }

DP_TOTAL_ONE(dp_try_int2_int4, i4toi2)
DP_TOTAL_ONE(dp_try_int2_int8, int82)
DP_TOTAL_ONE(dp_try_int2_float4, ftoi2)
DP_TOTAL_ONE(dp_try_int2_float8, dtoi2)
DP_TOTAL_ONE(dp_try_int2_numeric, numeric_int2)
DP_TOTAL_ONE(dp_try_int4_int8, int84)
DP_TOTAL_ONE(dp_try_int4_float4, ftoi4)
DP_TOTAL_ONE(dp_try_int4_float8, dtoi4)
DP_TOTAL_ONE(dp_try_int4_numeric, numeric_int4)
DP_TOTAL_ONE(dp_try_int8_float4, ftoi8)
DP_TOTAL_ONE(dp_try_float4_float8, dtof)
DP_TOTAL_ONE(dp_try_float4_numeric, numeric_float4)
DP_TOTAL_TWO(dp_add_float4, float4pl)
DP_TOTAL_TWO(dp_sub_float4, float4mi)
DP_TOTAL_TWO(dp_mul_float4, float4mul)
DP_TOTAL_TWO(dp_div_float4, float4div)
DP_TOTAL_ONE(dp_abs_int2, int2abs)
DP_TOTAL_ONE(dp_abs_int4, int4abs)
DP_TOTAL_ONE(dp_abs_int8, int8abs)
DP_TOTAL_ONE(dp_floor_numeric, numeric_floor)
DP_TOTAL_ONE(dp_ceil_numeric, numeric_ceil)
DP_TOTAL_TWO(dp_to_numeric, numeric)

DP_TOTAL_FUNCTION(dp_at_zone_timestamptz) {
  DP_RETURN_ATTEMPT(in_range(DirectFunctionCall2(timestamptz_zone, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1))));
}
DP_TOTAL_FUNCTION(dp_at_zone_timestamp) {
  DP_RETURN_ATTEMPT(in_range(DirectFunctionCall2(timestamp_zone, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1))));
}

DP_TOTAL_FUNCTION(dp_to_char_timestamp) {
  if (!is_written(PG_GETARG_DATUM(0), PG_GETARG_TEXT_PP(1))) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(
      DirectFunctionCall2Coll(timestamp_to_char, PG_GET_COLLATION(), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}
DP_TOTAL_FUNCTION(dp_to_char_timestamptz) {
  if (!is_written(PG_GETARG_DATUM(0), PG_GETARG_TEXT_PP(1))) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(
      DirectFunctionCall2Coll(timestamptz_to_char, PG_GET_COLLATION(), PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)));
}

DP_TOTAL_FUNCTION(dp_date_bin_timestamp) {
  DP_RETURN_ATTEMPT(
      in_range(DirectFunctionCall3(timestamp_bin, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2))));
}
DP_TOTAL_FUNCTION(dp_date_bin_timestamptz) {
  DP_RETURN_ATTEMPT(
      in_range(DirectFunctionCall3(timestamptz_bin, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2))));
}
