// PostgreSQL's own aggregates that cannot fail: over the rows of one person they are values like others. They may stand
// in a subquery that groups by the privacy unit (rewrite/per_unit_below.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// count, sum, avg, min, max, bool_and, bool_or, every of types with which they raise no error in the form that
// total_aggregates() gives them.
bool is_total_aggregate(Oid function);

// The expression with its aggregates in that form: numbers of numeric beyond ±1e100, of float8 beyond ±1e140 and of
// float4 beyond ±1e20 count as these in sums and averages, and NaN as the upper one, so that nothing overflows. So are
// its window functions (total_windows.h). Raises DP002 for others.
Node* total_aggregates(Node* expression);

// The value, but none below or above these constants of its type. NULL, which LEAST and GREATEST pass over, stays NULL.
Expr* kept_within(Expr* value, const char* lower, const char* upper);

}  // namespace dp::guard
