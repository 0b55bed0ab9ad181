// What a query level reads of which several servers read a part each: rows of one protected table, and the public
// tables that are joined to it. Another server reads its copies of those in their place (budget/policy/copies.h):
//
//   SELECT w.region, dp_count('*', 0.5) FROM events e JOIN wards w USING (ward) GROUP BY w.region
// becomes for events_1
//   SELECT w.region, dp_internal.shard_part(...) FROM events_1 e JOIN wards_1 w USING (ward) GROUP BY w.region
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

inline bool is_elsewhere(Oid table) { return get_rel_relkind(table) == RELKIND_FOREIGN_TABLE; }

// Whether the level reads one table, at index 1, by what can be said of its rows, and joins public tables at most to
// it, so that its rows are divided among the parts as the table's are.
bool reads_one_table(const Query* level);

// The tables whose rows those of that table are, oid; NIL where none is on another server, or one is on a server that
// makes no parts, or has no copy of what is joined.
List* tables_that_make_parts(const Query* level);

// The subquery over one part, and what is joined to it there. What it asks is asked of the whole.
Query* over_part(const Query* subquery, Oid part);

// The inner query is to be answered as long as the copies that the parts of the subquery read are such ones.
void rely_on_copies(const Query* subquery, const List* parts, InnerQuery* what);

// One of the protected tables that the level reads, where these lie side by side on one server, which makes parts, and
// has copies of all else that is joined to them; else InvalidOid. Whether it is joined there is seen when that is
// planned: where it is not, parts are made here.
Oid table_side_by_side(const Query* level);

// In place, where rows are fetched: levels that read tables which are side by side on one server
// (budget/policy/colocated.h) read the copies there of what they join, so that it is joined there.
void read_copies_beside(Query* level, InnerQuery* what);

}  // namespace dp::guard
