// Aggregates of a subquery that nothing above it reads: of a list for a filter, of SELECT count(*) FROM (...).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Puts NULL in the place of those columns of a level with GROUP BY that show aggregates and that the query around it
// does not read, so that these are neither drawn nor charged; the groups stay as they are. Returns whether there are
// any.
// `levels`: the queries around the level, innermost first, starting with itself (as it was before it was flattened).
// `to_be_read`: the level is written out for a person; private calls stay in it then, for without them the persons that
// it groups by would be asked about.
bool drop_unused_answers(Query* level, List* levels, bool to_be_read);

}  // namespace dp::guard
