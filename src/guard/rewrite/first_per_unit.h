// The first rows of a person that LATERAL finds below private aggregates, also the nearest one of that person:
// LATERAL (SELECT ... FROM visits v WHERE v.person = p.id ORDER BY v.day LIMIT 1). Written by relations/lateral.h.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Writes them as joins with DISTINCT ON, in all levels of the query that are below private aggregates, or read what
// only these may read.
void join_first_per_unit(Query* query);

}  // namespace dp::guard
