#include "budget/policy/publishing.h"

#include "pg/errors.h"

namespace dp::budget {

WhilePublishing::WhilePublishing(Publishing* what) { current_ = what; }

WhilePublishing::~WhilePublishing() { current_ = nullptr; }

const char* mark_of(const Publishing& what) {
  struct pg_tm parts;
  fsec_t fraction;
  char text[MAXDATELEN + 1];
  if (timestamp2tm(what.start, nullptr, &parts, &fraction, nullptr, nullptr) != 0)
    elog(ERROR, "timestamp out of range");
  EncodeDateTime(&parts, fraction, true, 0, nullptr, USE_ISO_DATES, text);
  return psprintf("publication %lld, %s: ", static_cast<long long>(what.id), text);
}

// dp.period_start() returns timestamptz. Outside a publication yesterday's, so that its query can be tried.
DP_SQL_FUNCTION(dp_period_start) {
  if (const Publishing* const now = publishing()) PG_RETURN_TIMESTAMPTZ(now->start);
  const TimestampTz now = GetCurrentTransactionStartTimestamp();
  PG_RETURN_TIMESTAMPTZ(now - ((now % USECS_PER_DAY) + USECS_PER_DAY) % USECS_PER_DAY - USECS_PER_DAY);
}

// dp.period_end() returns timestamptz.
DP_SQL_FUNCTION(dp_period_end) {
  if (const Publishing* const now = publishing()) PG_RETURN_TIMESTAMPTZ(now->end);
  const TimestampTz now = GetCurrentTransactionStartTimestamp();
  PG_RETURN_TIMESTAMPTZ(now - ((now % USECS_PER_DAY) + USECS_PER_DAY) % USECS_PER_DAY);
}

}  // namespace dp::budget
