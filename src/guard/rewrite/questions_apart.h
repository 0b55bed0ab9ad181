// Levels whose answers are asked as several questions where limits of privacy units are chosen, at the price that they
// have in one.
//
// Limits are chosen for the groups of one grouping set, so that each set is a question:
//
//   SELECT ward, count(*) FROM visits GROUP BY ROLLUP (ward)
//
//   SELECT ward, n FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward
//                        UNION ALL SELECT NULL, count(*) FROM visits) AS core
//
// In quantiles and most frequent values one row of a unit counts, and of different values one (limited_query.cpp); in
// other answers as many as are chosen, for each histogram by itself. All have the same groups, which are known:
//
//   SELECT ward, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits GROUP BY ward
//
//   SELECT ward, n, median
//   FROM (SELECT a.ward, n, median FROM (SELECT ward, count(*) AS n FROM visits GROUP BY ward) AS a
//         JOIN (SELECT ward, percentile_cont(...) AS median FROM visits GROUP BY ward) AS b
//         ON a.ward IS NOT DISTINCT FROM b.ward) AS core
//
// Each question is charged by itself, so that the loss of all is what they cost together.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

struct QuestionsApart {
  List* questions;  // Query, which are not split yet
  List* levels;     // the queries around each of them, innermost first
};

// Puts that in the place of the level, which was tried as that inner query: one that is to be asked apart. `levels`:
// the queries around it, starting with itself, whose CTEs get more readers. `of_answers`: its rows are answers, or are
// compared with some, which would be drawn for each question; raises DP002 where there are several.
QuestionsApart ask_apart(Query* level, List* levels, const InnerQueryParts& tried, bool of_answers);

}  // namespace dp::guard
