// What a step of rewriting says of a subquery to the steps behind it: that it is an inner query, or is per-unit, or
// that a row finds one of its rows at most.
//
// It is one mark, with a kind and a number, and stands in Query.queryId: copies of a query keep that, as they keep no
// pointer. The subqueries of a statement have none there: forget_query_ids() (query/private_query.h) takes away what
// others (compute_query_id) have put there before anything is marked, so nobody who asks can mark one. Nobody else
// reads or writes the queryId of what is being planned (a rule of the house).
#pragma once

#include <cstdint>

#include "pg/planner.h"

namespace dp::guard {

enum class Mark : std::uint8_t {
  none,
  inner_query,    // of that number among those of the planner call (query/private_query.h)
  per_unit,       // groups by the privacy unit, and is a table of who reads it (relations/per_unit_subquery.h)
  first_of_each,  // DISTINCT ON was LIMIT 1 (relations/first_rows.h)
  nearest,        // its rows have the next value beside them: a row finds one at most (relations/first_rows.h)
  spread,         // the numbers of a list beside a function (relations/row_lists.h)
  sets,           // the levels of GROUPING SETS, ROLLUP or CUBE, which are asked apart (rewrite/questions_apart.h)
  or_none,        // a list with a row for none of the others (relations/row_lists.h)
};

// A query has one mark: the last.
void mark(Query* query, Mark kind, std::uint32_t number = 0);

Mark mark_of(const Query* query);
std::uint32_t number_of_mark(const Query* query);

}  // namespace dp::guard
