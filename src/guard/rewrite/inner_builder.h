// Makes the inner query of a query level with private aggregates: protected rows, conditions, group keys, private
// aggregates; nothing else.
#pragma once

#include <optional>

#include "guard/query/inner_query.h"
#include "guard/rewrite/plain_aggregates.h"

namespace dp::guard {

// The inner query of a level; nothing where the level has neither private aggregates nor keys alone (`plain`), or reads
// no protected table below them. It is the last that asks for what the level reads. Raises DP002 where the level reads
// a protected table below its private aggregates but cannot be split.
std::optional<InnerQueryParts> make_inner_query(Level* level, const PlainLevel& plain,
                                                const InnerQueries& inner_queries);

}  // namespace dp::guard
