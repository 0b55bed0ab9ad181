// The outer query of a rewritten query level: what stands above the inner query, reading its columns.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Turns the level into the outer query of its inner query, in place. Raises DP002 where the level shows something of
// the rows that is neither an answer nor a group key.
void make_outer_query(Query* level, const InnerQueryParts& inner_query);

}  // namespace dp::guard
