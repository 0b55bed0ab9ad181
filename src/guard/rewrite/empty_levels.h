// What tools ask of a table to learn its columns: SELECT * FROM visits WHERE 1 = 0, LIMIT 0. It returns no rows,
// whatever the table holds, so a role without SELECT that has an account gets it for nothing.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Reads nothing in the place of protected tables below a level that returns no rows for certain: its WHERE is false or
// its LIMIT is 0. `query` and what is below it; queries with private aggregates stay as they are. Whether it returns
// none.
bool empty_certainly(Query* query);

// Whether it may be such a one: it has a limit, or a condition that may read no column.
inline bool may_be_empty(const Query* query) {
  Node* const where = query->jointree == nullptr ? nullptr : query->jointree->quals;
  return query->limitCount != nullptr || (where != nullptr && (IsA(where, BoolExpr) || !contain_var_clause(where)));
}

// Whether the setting dp.preview could show the query without rows: it changes nothing, and nothing in it stands in the
// way, nor does it ask whether there are rows.
bool can_be_previewed(Query* query);

// To be called where the setting dp.preview is 'empty': the same for every protected table that would be refused, with
// a warning. Raises 42501 for a statement that asks whether there are rows (probes.h).
void empty_for_preview(Query* query);

}  // namespace dp::guard
