// Questions whether there are rows: SELECT 1 FROM visits WHERE ... LIMIT 1, EXISTS (...), the first row by some order.
//
// Without its rows a table would answer each with no, which nobody who reads it takes for a preview: Django's exists()
// and latest(), Rails' exists?, TypeORM's and Hibernate's like them drop warnings.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the statement would tell something if the tables that it may not read had no rows: it asks whether there is
// one, or shows rows all the same.
bool probes_rows(Query* statement);

}  // namespace dp::guard
