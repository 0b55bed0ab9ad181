// Answers for each row of public tables that LATERAL asks for, as subqueries of their own (correlated_answers.h):
//
//   FROM wards w, LATERAL (SELECT count(*) AS n FROM stays s WHERE s.ward = w.id) x
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so in a level that reads no rows which the asker may not read, in place.
void ask_for_each(Query* query);

// Takes an entry out of FROM, which is a copy, where it is joined to all rows: by inner joins, whose conditions go to
// WHERE, or by LEFT JOIN ... ON true. False, and nothing changed, elsewhere, and where it is alone.
bool take_out_joined_to_all(FromExpr* from, int entry);

}  // namespace dp::guard
