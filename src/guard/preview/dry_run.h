// Plans and starts a query as EXPLAIN does, without running it, to find out what it would cost and whether it is
// admitted.
#pragma once

#include <functional>

#include "guard/release/statement.h"

namespace dp::guard {

// The query that a function was given as its first argument. Raises 22023 for NULL.
const char* query_argument(FunctionCallInfo fcinfo, const char* function);

// The one query in a text, analysed. Raises 22023 for several statements, and for one that is no query. `function` as
// below.
Query* analysed(const char* function, const char* text);

// Who asks, and what may be found out for whom.
struct Trial {
  Oid role;  // InvalidOid for the current user
  // Whether the query, as it was analysed, may be planned for that role: errors of planning tell of it, too.
  std::function<bool(const Query*)> may_plan;
  std::function<bool(const PlannedStmt*)> may_go_on;  // whether its plan may be started as that role
};

// Plans and starts the query, calls visit for each of its DpRelease nodes, and ends it. Raises the errors that the
// query would raise before its first row, pointing into it. `function` is what messages call the caller. Throws what
// visit throws, and nothing else.
void dry_run(const char* function, const char* query, const Trial& trial,
             const std::function<void(const ReleaseNode*)>& visit);

}  // namespace dp::guard
