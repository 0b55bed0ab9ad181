// Which public groups the conditions of an inner query exclude: WHERE ward = 'oncology' GROUP BY ward is one group, and
// WHERE admitted >= '2024-01-01' GROUP BY date_trunc('month', admitted) begins in 2024.
//
// Found from conditions and keys alone, never from rows: a condition that is made of group keys and of parts that read
// no row is the same for all rows of a group; and one that compares a column with such a part says something of a key
// that only goes up with that column. What it is for the groups that there are is worked out when the statement starts,
// once its parameters are known.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What the conditions of the inner query say of its keys (Node, as it groups by them). A list of pairs: the numbers
// (from 1) of the keys that it is about, and an expression over them as columns of the range-table index 1; no row is
// in a group where that is not true. `shows_all`: a join whose own conditions say nothing of the groups, or nullptr.
List* conditions_on_keys(const Query* inner_query, List* keys, const JoinExpr* shows_all);

// Whether such a condition says of a group, by its keys alone, that all of its rows are in or that none is. Then it is
// among those above.
bool is_made_of_keys(Node* condition, List* keys);

}  // namespace dp::guard
