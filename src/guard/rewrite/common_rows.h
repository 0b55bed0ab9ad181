// INTERSECT, EXCEPT and UNION of rows of protected tables, as they are written to tell in whose rows two things are:
//
//   SELECT person FROM stays WHERE ward = 1 INTERSECT SELECT person FROM stays WHERE ward = 2
//
// They mean what a condition says, which is known how to ask of each person:
//
//   SELECT DISTINCT a.person FROM (SELECT person FROM stays WHERE ward = 1) a
//   WHERE EXISTS (SELECT FROM (SELECT person FROM stays WHERE ward = 2) b WHERE b.person = a.person)
//
// and UNION as WHERE ward = 1 OR ward = 2 of one table, or as a FULL JOIN of the people of two,
// where no column can be NULL, which these operations take for equal and the condition does not.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them so, in the query and in all queries below it, in place, where the asker may not read the rows.
void write_as_conditions(Query* query);

}  // namespace dp::guard
