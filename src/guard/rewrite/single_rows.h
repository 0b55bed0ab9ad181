// Answers without GROUP BY that are joined to rows: WITH a AS (SELECT avg(age) AS mean FROM visits) SELECT count(*)
// FROM visits, a WHERE age > a.mean.
//
// They are one row, so the join only says with what is compared: (SELECT mean FROM a) in the place of a.mean says the
// same, and is a value in a condition (relations/single_answers.h).
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// Takes answers without GROUP BY out of the level's FROM, where inner joins alone stand around them, and puts single
// values in the place of their columns. A CTE is asked once wherever it is read; a subquery of which several columns
// are used stays, and so does one that a subquery of an expression uses. The level must be pg::flattened; its
// subqueries have been rewritten, or nothing has.
void take_single_rows(Query* level, List* levels, const InnerQueries& inner_queries);

}  // namespace dp::guard
