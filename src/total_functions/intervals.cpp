// dp_internal.age, add, sub, mul, div of intervals, justify_days and the like, make_date and the like,
// to_timestamp: what PostgreSQL's functions and operators give, and NULL where these raise an error.
#include "total_functions/attempt.h"

DP_TOTAL_FORM(dp_age_timestamp, timestamp_age)
DP_TOTAL_FORM(dp_age_timestamptz, timestamptz_age)

DP_TOTAL_FORM(dp_add_interval, interval_pl)
DP_TOTAL_FORM(dp_sub_interval, interval_mi)
DP_TOTAL_FORM(dp_minus_interval, interval_um)
DP_TOTAL_FORM(dp_mul_interval, interval_mul)
DP_TOTAL_FORM(dp_mul_float8_interval, mul_d_interval)
DP_TOTAL_FORM(dp_div_interval, interval_div)
DP_TOTAL_FORM(dp_justify_days, interval_justify_days)
DP_TOTAL_FORM(dp_justify_hours, interval_justify_hours)
DP_TOTAL_FORM(dp_justify_interval, interval_justify_interval)
DP_TOTAL_FORM(dp_add_time_interval, time_pl_interval)
DP_TOTAL_FORM(dp_sub_time_interval, time_mi_interval)

DP_TOTAL_FORM(dp_make_date, make_date)
DP_TOTAL_FORM(dp_make_timestamp, make_timestamp)
DP_TOTAL_FORM(dp_make_timestamptz, make_timestamptz)
DP_TOTAL_FORM(dp_make_time, make_time)
DP_TOTAL_FORM(dp_make_interval, make_interval)
DP_TOTAL_FORM(dp_to_timestamp_float8, float8_timestamptz)

// The cast lets a moment through that a time zone has carried beyond the last one.
DP_TOTAL_FUNCTION(dp_to_timestamptz) {
  Datum moment;
  if (!dp::total::attempt(&moment, [&] { return timestamp_timestamptz(fcinfo); })) PG_RETURN_NULL();
  const TimestampTz at = DatumGetTimestampTz(moment);
  if (!TIMESTAMP_NOT_FINITE(at) && !IS_VALID_TIMESTAMP(at)) PG_RETURN_NULL();
  return moment;
}
