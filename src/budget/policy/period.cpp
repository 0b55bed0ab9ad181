#include "budget/policy/period.h"

#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr int kMonthsOfYear = 12;
constexpr std::int64_t kFirstMonday = 2 * USECS_PER_DAY;  // 3 January 2000, by PostgreSQL's moments

std::int64_t multiple_below(std::int64_t value, std::int64_t step) { return value - ((value % step) + step) % step; }

std::int64_t microseconds(const Interval& length) { return length.time + length.day * USECS_PER_DAY; }

std::int64_t months_of(TimestampTz moment) {
  struct pg_tm parts;
  fsec_t fraction;
  if (timestamp2tm(moment, nullptr, &parts, &fraction, nullptr, nullptr) != 0) elog(ERROR, "timestamp out of range");
  return std::int64_t{parts.tm_year} * kMonthsOfYear + parts.tm_mon - 1;
}

TimestampTz beginning_of(std::int64_t months) {
  struct pg_tm parts = {};
  parts.tm_year = static_cast<int>(months / kMonthsOfYear);
  parts.tm_mon = static_cast<int>(months % kMonthsOfYear) + 1;
  parts.tm_mday = 1;
  Timestamp moment;
  if (tm2timestamp(&parts, 0, nullptr, &moment) != 0) elog(ERROR, "timestamp out of range");
  return moment;
}

// `later`: how many periods after the one that holds the moment.
TimestampTz begin_of(const Period& period, TimestampTz moment, int later) {
  const Interval& length = period.length;
  if (length.month > 0)
    return beginning_of(multiple_below(months_of(moment), length.month) + std::int64_t{later} * length.month);
  const std::int64_t step = microseconds(length);
  return kFirstMonday + multiple_below(moment - kFirstMonday, step) + later * step;
}

[[noreturn]] void refuse(const Period& period, const char* what, const char* example) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("period must be %s, not %s", what, text_of(period)),
                  errhint("For example %s. period => '0' makes it a budget for ever.", example)));
  pg_unreachable();
}

void require_period(const Period& period, const char* example) {
  const Interval& length = period.length;
  constexpr int kYears = 100;
  const bool months = length.month != 0;
  if (months && (length.day != 0 || length.time != 0))
    refuse(period, "so many months, or so many days and hours", example);
  if (months ? length.month < 0 || length.month > kYears * kMonthsOfYear
             : length.time < 0 || length.day < 0 || length.day > kYears * 366 || length.time > USECS_PER_DAY * 366 ||
                   microseconds(length) < USECS_PER_SEC)
    refuse(period, "between a second and a hundred years", example);
}

}  // namespace

TimestampTz expired_until(const Period& period, TimestampTz now) {
  if (!period.sliding) return begin_of(period, now, 0) - 1;
  // Of a moment without a time zone: months and days would be those of the session's.
  return DatumGetTimestamp(
      DirectFunctionCall2(timestamp_mi_interval, TimestampGetDatum(now), IntervalPGetDatum(&period.length)));
}

TimestampTz end_of(const Period& period, TimestampTz moment) { return begin_of(period, moment, 1); }

const char* text_of(const Period& period) {
  return DatumGetCString(DirectFunctionCall1(interval_out, IntervalPGetDatum(&period.length)));
}

Period period_arguments(FunctionCallInfo fcinfo, int first, const char* example, const Period& before) {
  Period period = before;
  if (!PG_ARGISNULL(first)) {
    period.length = *PG_GETARG_INTERVAL_P(first);
    if (period.exists()) require_period(period, example);
  }
  if (!PG_ARGISNULL(first + 1)) period.sliding = PG_GETARG_BOOL(first + 1);
  if (period.exists()) return period;
  if (!PG_ARGISNULL(first + 1) && period.sliding) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("sliding means nothing without a period"),
                    errhint("For example %s.", example)));
  }
  return {};
}

}  // namespace dp::budget
