// Grouping sets of a level where limits of privacy units are chosen: they are chosen for the groups of one set.
//
//   SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)
//
// is asked as a question for each set, which costs what it does in one:
//
//   SELECT ward, n FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward
//                        UNION ALL SELECT NULL, count(*) FROM visits) AS sets
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

struct SetsApart {
  List* questions;  // Query, which are not split yet
  List* levels;     // the queries around each of them, innermost first
};

// Puts that in the place of the level, which was tried as that inner query. `levels`: the queries around it, starting
// with itself, whose CTEs get more readers. Raises DP002 where the rows of the level are answers, which would be drawn
// for each set.
SetsApart ask_sets_apart(Query* level, List* levels, const InnerQueryParts& tried, const InnerQueries& inner_queries);

}  // namespace dp::guard
