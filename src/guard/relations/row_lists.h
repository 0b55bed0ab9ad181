// LATERAL lists, which make several rows of one: columns as rows.
//
//   FROM visits v, LATERAL (VALUES ('cost', v.cost), ('fee', v.fee)) x (name, value)
//
// It is a list of constants beside an expression: (VALUES (1, 'cost'), (2, 'fee')) x (number, name), of which each row
// finds all rows, and LATERAL (SELECT x.name, CASE WHEN x.number = 1 THEN v.cost WHEN x.number = 2 THEN v.fee END). So
// the list is one of those of which a row may find several (joins.h), its constants are known as group keys, and the
// bounds of a value are those of all that it may be.
//
// Admitted are VALUES, SELECTs without FROM under UNION ALL, and unnest(ARRAY[...]) in FROM and among the columns of a
// SELECT without FROM, also with conditions and several beside each other. unnest(v.tags) and generate_series(1,
// v.days) are lists of numbers (spread_rows.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The level with its LATERAL lists written so, as far as they can be; others stay. The level must be pg::flattened, and
// is left as it is.
Query* with_numbered_lists(Query* level);

// How many rows of a list of so many a row finds at most, or kFindsOne (from_clause.h): negative where that wrote the
// list, for a function.
int rows_found(const Query* subquery, int written);

// Whether that wrote the subquery, for a function: of its numbers a row finds as many as it has elements.
bool is_spread(const Query* subquery);

}  // namespace dp::guard
