// What the answers of an inner query are charged to.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// For each protected table of the inner query a List*, oid: the table itself, or where its partitions have a budget
// each, those that the execution has opened. Which these are follows from conditions and bounds alone: a partition is
// left out where PostgreSQL has shown from them that none of its rows can satisfy the conditions, so nothing of it
// changes the answers. 22023 where that is so of all. `started`: the inner query's execution; nullptr: its conditions
// are not all known, and any partition may be read.
List* blocks_read(const InnerQuery& inner_query, const EState* started);

}  // namespace dp::guard
