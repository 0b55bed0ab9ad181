// Subqueries in the condition of an inner join: FROM a JOIN b ON b.x = a.x AND EXISTS (SELECT ...).
//
// They mean what they mean in WHERE, where all that looks for subqueries finds them. The join may stand below left
// joins that keep its rows; the condition of a join that may miss a row is another thing, and stays.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Moves such conditions into WHERE, in the query and in all queries below it.
void ask_in_where(Query* query);

}  // namespace dp::guard
