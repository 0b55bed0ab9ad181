// What EXPLAIN may run of a statement, so that it tells what running the statement will charge and refuse.
//
// Values that a private query compares with, and public subqueries that are run by themselves, decide which question it
// is: whether it was answered before, and which groups it has. PostgreSQL's own EXPLAIN runs nothing of a statement. So
// only that is run which nobody notices, and which gives the same when it is run for the answer: it calls functions of
// PostgreSQL's own that are not volatile, draws nothing, and locks no row.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Whether the part of a statement, or the parts in a list, may be run for that. `inner_queries`: of the statement,
// which ask themselves.
bool is_quiet(Node* part, const InnerQueries& inner_queries);

}  // namespace dp::guard
