// Values that are written as subqueries without FROM, as Looker and others do: at >= (SELECT TIMESTAMP '2024-01-01').
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The condition, which has subqueries, with these values in the place of the subqueries. One that is volatile, and so
// the same for all rows only as it is written, stays, and so does one that calls a function of somebody.
Node* with_written_values(Node* condition);

}  // namespace dp::guard
