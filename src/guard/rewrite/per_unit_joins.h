// Subqueries about one person in expressions, and LATERAL ones that compute, as joins with per-unit subqueries:
//
//   WHERE (SELECT v.ward FROM visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1) = 'surgery'
//   LEFT JOIN LATERAL (SELECT v.ward FROM visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1) x ON true
//
//   FROM patients p, LATERAL (SELECT count(*) AS n FROM visits v WHERE v.person = p.id) x
//   FROM patients p LEFT JOIN (SELECT person, count(*) AS n FROM visits v GROUP BY person) x ON x.person = p.id
//
//   WHERE EXISTS (SELECT FROM (SELECT person, row_number() OVER () AS n ...) v WHERE v.person = p.id AND n = 1)
//   LEFT JOIN (SELECT DISTINCT person FROM (...) v WHERE n = 1) x ON x.person = p.id WHERE x.person IS NOT NULL
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so, in the query and in all queries below it, in place, where the asker may not read the rows.
void join_per_unit(Query* query);

}  // namespace dp::guard
