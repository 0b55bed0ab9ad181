// Windows above a subquery of groups: SELECT day, sum(n) OVER (ORDER BY day) FROM (SELECT day, count(*) AS n FROM trips
// GROUP BY day) AS days. They are windows of the groups themselves, sum(count(*)) OVER (ORDER BY day), of which running
// totals are answered together (window_curves.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// In place: puts the one subquery that the statement reads in its own place, where the statement does nothing but show
// its columns and windows over them, and the subquery groups rows of tables that the asker may not read.
void take_windows_to_groups(Query* statement);

}  // namespace dp::guard
