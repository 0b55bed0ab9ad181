// Whether something below private aggregates reads a protected table at all.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// True where the level's FROM, WHERE, group keys or aggregates read a protected table, or one with a protected part, at
// any depth and through CTEs. Inner queries do not count: what they give is private. `levels` as in make_inner_query.
bool reads_protected(Query* level, List* levels, List* aggregates, const InnerQueries& inner_queries);

// Whether rows of that relation itself, not of tables below it, are protected.
bool is_protected(Oid relation);

}  // namespace dp::guard
