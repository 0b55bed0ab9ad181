// Which groups there are, of privacy units that may be in any number of them: each adds a weight to its groups by how
// many these are (core/mechanism/group_selection.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Lets that column of the inner query, which has no aggregate but it, be the weights of a group. `keys`: Expr, the
// group keys. Returns what counts of a unit, for EXPLAIN; `path`: its name.
char* weigh_units(Query* query, int count_column, Var* unit, List* keys, const char* path);

}  // namespace dp::guard
