// Queries from whose FROM something was taken out, or into which a join was put, as ones that can be printed.
//
// PostgreSQL prints a query by what stands in its range table: the columns of each join by their places in the two
// sides that it had, and what is no longer in FROM like everything else. A level whose joins are not what their entries
// say, or have none, would be read past the end of lists.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Makes the entries of joins fit the FROM of each level in the query, in place, wherever there are some that FROM no
// longer holds, or that it lacks: columns of joins become those of the tables, USING the condition that it stands for,
// and entries that are read by nobody hold nothing.
void make_printable(Query* query);

}  // namespace dp::guard
