// What the planner lets other servers compute of an inner query: joins of what lies there, and parts of answers. What
// they are asked for depends on no estimate: where a server can compute it, it does.
#pragma once

#include "pg/foreign.h"
#include "pg/planner.h"

namespace dp::guard {

// The planner's view of a foreign table of an inner query: its rows are fetched, by themselves or joined with others of
// its server, or the parts that its server makes of them (unit_limit/over_shards.h); all else is computed here.
// `declared`: of the inner query.
void fetch_rows_or_parts(RelOptInfo* table, List* declared);

// Whether the foreign table of an inner query is a copy of a public table; else it is a protected one.
bool is_copy(Oid table);

// Whether what a server is to show (TargetEntry) are columns and parts alone; whether there is a part among it.
bool are_keys_and_parts(const List* shown);
bool has_parts(const List* shown);

}  // namespace dp::guard
