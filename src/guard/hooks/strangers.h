// Which statements are none of the guard's business.
//
// A stranger's statement reads no protected table, under its own name, through a view, a rule, inheritance in either
// direction or an SQL function that the planner would put in its place, and calls no aggregate of ours. It is planned
// from the tree as it came: no hook copies, flattens or rewrites anything of it. Whether a statement is one is decided
// before all else, by a walk that changes nothing, evaluates nothing and costs next to nothing.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the planner's tree is one of these. In a database without the extension all are. Where the extension's tables
// cannot be read, none is that reads a table of a user.
bool is_strangers(Query* query);

// Whether no aggregate of ours can stand in the plan: nothing in it is prepared or checked before it runs.
bool calls_none_of_ours(const PlannedStmt* plan);

}  // namespace dp::guard
