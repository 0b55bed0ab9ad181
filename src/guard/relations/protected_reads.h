// Whether anything below the private aggregates of a level reads a protected table.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// True where the level's FROM, WHERE, group keys or aggregates read a protected table, or one with a protected part, at
// any depth and through CTEs. Inner queries that were split off already do not count: what they give is private.
// `levels` as in make_inner_query.
bool reads_protected(Query* level, List* levels, List* aggregates, const InnerQueries& inner_queries);

// The same of a subquery in an expression of the first of these levels.
bool reads_protected(const SubLink* subquery, List* levels, const InnerQueries& inner_queries);

// The same of a query that reads nothing of others around it, as it was written: what was split off counts.
bool reads_protected(Query* query);

// Whether rows of that relation itself, not of tables below it, are protected.
bool is_protected(Oid relation);

}  // namespace dp::guard
