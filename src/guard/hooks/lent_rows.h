// The way of a server of another owner to the rows that it has charged for (budget/ledger/lent_rows.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The plan of a statement that reads rows that are lent to the current role, checked as the owner of their table;
// nullptr where it is no such statement. Called where the role may have some. `next`: who plans it.
PlannedStmt* plan_lent_rows(Query* query, const char* text, int options, ParamListInfo parameters,
                            planner_hook_type next);

}  // namespace dp::guard
