// LATERAL subqueries as ordinary joins.
//
//   FROM visits v, LATERAL (SELECT w.name FROM wards w WHERE w.id = v.ward) x
//   FROM visits v LEFT JOIN LATERAL (SELECT b.kind FROM beds b WHERE b.ward = v.ward ORDER BY b.id LIMIT 1) x ON true
//
// What such a subquery compares with the row beside it becomes a condition of the join, and what is compared a column
// of the subquery: x ON x.id = v.ward. Of several rows the first is taken beforehand (first_rows.h). Then it is a
// subquery like any other, and what joins.h says of these holds. Lists become what row_lists.h says. A join behind a
// comma, v, LATERAL (...) x LEFT JOIN c, has v on its left then: what stands in the place of x may be columns of v.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What a subquery compares with the level around it as a condition of that level: the subquery is its entry of that
// number, and gets the columns that are compared.
Node* condition_of_join(Node* condition, Query* subquery, int number);

// The level with its LATERAL subqueries written so, as far as they can be; others stay. The level must be
// pg::flattened, and is left as it is.
Query* without_lateral(Query* level);

// Writes so those that take the first of protected rows, which without_lateral() leaves: FROM patients p,
// LATERAL (SELECT v.ward FROM visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1) x. DISTINCT ON in the place of
// LIMIT 1 is per-unit (per_unit_windows.h), and what asks of them is marked: so it is put there in place, before they
// are looked for. The level must be one that is split, or refused.
void take_first_per_unit(Query* level);

}  // namespace dp::guard
