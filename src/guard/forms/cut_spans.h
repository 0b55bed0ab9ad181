// Lengths of time that are cut to whole units, date_trunc('day', discharged - admitted), as so many of these units.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The call so, where it cuts the difference of two moments to days, hours or minutes, or an age to months or years;
// else nullptr. PostgreSQL's own is not known to give a result for every interval.
Node* so_many_units(const FuncExpr* call);

}  // namespace dp::guard
