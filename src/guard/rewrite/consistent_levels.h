// What dp.consistent has a statement show of grouping sets: counts and sums that add up over its levels.
//
//   SELECT ward, count(*), dp_error(count(*)) FROM visits GROUP BY ROLLUP (ward)
//
// is asked as it is, and what it shows is read off a query between its answers and itself:
//
//   SELECT ward, n, dp_internal.fitting_error(error, share, 0.95, true)
//   FROM (SELECT ward, dp_internal.fitting(n, wide, GROUPING(ward), ward) OVER (),
//           dp_internal.fitting_share(n, wide, GROUPING(ward), ward) OVER (), error
//         FROM (answers: ward, count(*) AS n, dp_error(count(*), 0.9999999) AS wide, dp_error(count(*)) AS error))
//
// So that is done in two steps: before the level's aggregates are made private the answers are marked, and in the outer
// query the marks are replaced. It is made of what was released: nothing of it costs anything.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Marks the level's counts and sums of rows, if dp.consistent is on and it has several grouping sets. In place; whether
// there are any.
bool mark_to_fit(Query* level);

// Why these answers cannot be made to add up, as EXPLAIN says it; nullptr: they can.
const char* why_not_fitted(const InnerQuery& what);

// What EXPLAIN says where they are.
char* fitted_text(const InnerQuery& what);

// Puts the query between the outer query and its answers.
void fit_levels(Query* outer, const InnerQueryParts& inner_query);

}  // namespace dp::guard
