// Which groups there are, of privacy units that may be in any number of them: each adds a weight to its groups by how
// many these are (core/mechanism/group_selection.h).
#pragma once

#include <cstdint>

#include "guard/unit_limit/unit_subquery.h"

namespace dp::guard {

// Whether that shows more groups than equal shares of epsilon and delta, of units in so many at most.
bool weighs_groups(std::uint32_t most);

// Lets the column of the query over that subquery, whose rows are the groups of units, be the sum of weights.
// `of_unit`: what tells units apart there, of which at most `most` rows are kept.
void weigh(UnitSubquery* groups, TargetEntry* column, List* of_unit, std::uint32_t most);

// Lets that column of the inner query, which has no aggregate but it, be the weights of a group. `keys`: Expr, the
// group keys. Returns what counts of a unit, for EXPLAIN; `path`: its name.
char* weigh_units(Query* query, int count_column, Var* unit, List* keys, const char* path);

}  // namespace dp::guard
