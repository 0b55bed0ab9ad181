// Every query level with private aggregates over a protected table is rewritten as two: an inner query and an outer
// query.
//
// The inner query reads protected tables and those joined to them, filters, groups and aggregates; nothing else. The
// outer query is everything above: expressions on answers and keys, HAVING, ORDER BY, LIMIT, DISTINCT, windows, names.
// The inner query becomes a statement of its own, planned by itself (inner_plan.h); the outer query reads the node
// DpRelease that runs it (release_node.h). Below that node are rows, above it only what is private.
#pragma once

#include "guard/query/private_query.h"
#include "guard/rewrite/traits.h"

namespace dp::guard {

// Splits the query and all queries in it, in place. `traits`: of the query. Raises DP002 where a level with private
// aggregates reads a protected table in a way that cannot be split, or where an error is asked for of something else
// than an answer.
void rewrite_private_queries(Query* query, Traits traits, InnerQueries* inner_queries);

// Writes private calls in the place of ordinary aggregates over protected tables (plain_aggregates.h), in the query and
// all queries in it, in place; splits nothing. For showing what would be asked. Raises what that raises.
void write_private_calls(Query* query);

}  // namespace dp::guard
