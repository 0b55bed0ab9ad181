// OFFSET 0 of subqueries, as Prisma writes it: SELECT count(*) FROM (SELECT id FROM stays WHERE ... OFFSET $1) AS s.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Takes OFFSET 0 out of subqueries of rows that the asker may not read, for it leaves no row out. (Others keep it: it
// tells the planner not to put a subquery in its place.) In a plan for any parameters it goes from the one subquery of
// the statement to the statement itself, where another number than 0 is an error.
void take_out_zero_offsets(Query* statement);

}  // namespace dp::guard
