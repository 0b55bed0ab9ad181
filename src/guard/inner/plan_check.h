// The finished plan of an inner query holds what was admitted, and nothing else.
//
// Admission judges a query; what runs is a plan, and in between the planner replaces: an operator by its negator or
// commutator, LIKE by comparisons with an index, a join by hashing. Another library, or a newer server, may replace
// more. So each expression of each node is judged again as it is about to run, after planning and at the start of each
// execution: objects (objects.h), calls (total_functions.h), kinds of nodes and expressions, and the tables and indexes
// that are read. What a node takes from the nodes below it is looked up there (whole_expressions.h), since a call that
// cannot fail shows it by all that its arguments are computed from.
//
// A kind that is not known is refused: a new one comes in by being written down here.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// The tables (oid) that the inner query names, and those below them which are read with them; views on the way.
List* tables_read(const Query* inner);

// Raises DP002 where the plan holds what was not admitted, or reads a table that is not one of inner_query.tables.
// `values`: those of its parameters, nullptr where these are not known yet; then a call is let pass if there are values
// with which it is total.
void check_inner_plan(const PlannedStmt* plan, const InnerQuery& inner_query, ParamListInfo values);

}  // namespace dp::guard
