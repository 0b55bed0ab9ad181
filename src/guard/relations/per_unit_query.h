// The subquery of a per-unit subquery, as it runs (per_unit_subquery.h).
#pragma once

#include "guard/relations/per_unit_subquery.h"

namespace dp::guard {

// Puts it into the entry that stands for it. Its columns are those of the subquery, in their order, also those that it
// only groups by. Raises DP002 for what is not admitted.
void put_per_unit(RangeTblEntry* entry, const PerUnitSubquery& per_unit, InnerQuery* what);

// The same for all of them among the sources' tables. `tables`: RangeTblEntry, copies of these.
void put_all_per_unit(List* tables, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
