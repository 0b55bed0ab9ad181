// Answers for each row of public tables, as people write them in select lists:
//
//   SELECT w.name, (SELECT count(*) FROM stays s WHERE s.ward = w.id) FROM wards w
//
// Asked row by row each would be a question of its own. It is one question, grouped by what the subquery reads of the
// rows around it, and the subquery looks up its group:
//
//   WITH answers AS (SELECT w.id, count(*) FROM stays s, (SELECT DISTINCT id FROM wards) w WHERE s.ward = w.id
//                    GROUP BY w.id)
//   SELECT w.name, (SELECT count FROM answers a WHERE a.id IS NOT DISTINCT FROM w.id) FROM wards w
//
// The groups are the rows of a public subquery, so all of them are answered, also those without rows.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so, in the query and in all queries below it, in place.
void group_correlated_answers(Query* query);

}  // namespace dp::guard
