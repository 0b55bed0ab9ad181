// dp_trunc(field, moment): what date_trunc gives; dp_add and dp_sub of dates and timestamps: what + and - give. NULL
// where these raise an error: out of range, near the ends of it, for an infinite one, for a field that there is not.
#include "total_functions/attempt.h"

namespace {

// A moment that a time zone or a rounding has carried beyond the range is not always found out by PostgreSQL.
bool in_range(Timestamp moment) { return TIMESTAMP_NOT_FINITE(moment) || IS_VALID_TIMESTAMP(moment); }

Datum checked(Datum moment) {
  if (in_range(DatumGetTimestamp(moment))) return moment;
  ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("timestamp out of range")));
  pg_unreachable();
}

}  // namespace

#define DP_TOTAL_MOMENT(name, function)                                                                \
  DP_TOTAL_FUNCTION(name) {                                                                            \
    DP_RETURN_ATTEMPT(checked(DirectFunctionCall2(function, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)))); \
  }
#define DP_TOTAL_CALL(name, function) \
  DP_TOTAL_FUNCTION(name) { DP_RETURN_ATTEMPT(DirectFunctionCall2(function, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1))); }

DP_TOTAL_MOMENT(dp_trunc_timestamp, timestamp_trunc)
DP_TOTAL_MOMENT(dp_trunc_timestamptz, timestamptz_trunc)

// Its zone as the third argument.
DP_TOTAL_FUNCTION(dp_trunc_zone) {
  DP_RETURN_ATTEMPT(
      checked(DirectFunctionCall3(timestamptz_trunc_zone, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), PG_GETARG_DATUM(2))));
}

// A date stays one.
DP_TOTAL_FUNCTION(dp_trunc_date) {
  DP_RETURN_ATTEMPT(DirectFunctionCall1(timestamp_date,
                                        DirectFunctionCall2(timestamp_trunc, PG_GETARG_DATUM(0),
                                                            DirectFunctionCall1(date_timestamp, PG_GETARG_DATUM(1)))));
}

DP_TOTAL_CALL(dp_add_date, date_pli)
DP_TOTAL_CALL(dp_sub_date, date_mii)
DP_TOTAL_CALL(dp_sub_dates, date_mi)
DP_TOTAL_MOMENT(dp_add_date_interval, date_pl_interval)
DP_TOTAL_MOMENT(dp_sub_date_interval, date_mi_interval)
DP_TOTAL_MOMENT(dp_add_timestamp, timestamp_pl_interval)
DP_TOTAL_MOMENT(dp_sub_timestamp, timestamp_mi_interval)
DP_TOTAL_MOMENT(dp_add_timestamptz, timestamptz_pl_interval)
DP_TOTAL_MOMENT(dp_sub_timestamptz, timestamptz_mi_interval)
DP_TOTAL_CALL(dp_sub_timestamps, timestamp_mi)
