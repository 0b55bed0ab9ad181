// What the limits of a privacy unit leave out of an answer. Intervals are about the noise, and do not include it: so it
// is said.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// "rows of one patient_id beyond 5 are not counted; the interval does not include them"; nullptr where a unit has one
// row, or all of its rows count. Palloc'd.
const char* not_counted(const InnerQuery& inner_query);

// The same as a NOTICE, once in a session for each table.
void tell_of_limits(const InnerQuery& inner_query);
inline void tell_not_counted(const InnerQuery& inner_query) {
  if (inner_query.limits != NIL) tell_of_limits(inner_query);
}

// Warns that no good limit was found for an answer (core/accumulate/faint_counts.h). Of the rows it says no more than
// the noisy counts from which the limit was to be chosen.
void tell_lack_of_limit(const InnerQuery& inner_query);

// Warns that a spread is NaN, as no range was found for its values (core/accumulate/open_spread.h). That is known from
// noisy numbers alone.
void tell_lack_of_range(const InnerQuery& inner_query);

}  // namespace dp::guard
