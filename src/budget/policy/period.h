// Budgets for a period: what was charged before it counts no more.
//
// All by universal time, so that no session's time zone moves a boundary. Periods of the calendar begin where everybody
// looks for it: days at midnight, weeks on Mondays, months on the first, quarters and years with a year's first month.
#pragma once

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

// Of charges of that moment, and of those before it, nothing counts any more.
TimestampTz expired_until(const Period& period, TimestampTz now);

// When the period of the calendar ends that holds that moment.
TimestampTz end_of(const Period& period, TimestampTz moment);

// "1 mon", as a session writes times.
const char* text_of(const Period& period);

// The arguments period and sliding, from that one on: a second at least, '0' takes it away. Raises 22023 for what is no
// period.
Period period_arguments(FunctionCallInfo fcinfo, int first, const char* example, const Period& before);

}  // namespace dp::budget
