// What the subquery of a condition asks, whatever it is written as.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// One row, whatever there is to read, or none by HAVING.
bool is_single(const Query* level);

// Whether the level groups by the entry.
bool is_key(const TargetEntry* entry, const Query* level);

// The query of a subquery, flattened, without what makes no difference; `unsupported` becomes what it must not do, if
// it does, else nullptr.
Query* bare(const SubLink* link, const char** unsupported);

// x = ANY (...) where the subquery is x <> ALL (...), which is NOT that; otherwise nullptr.
SubLink* any_of(const SubLink* link);

}  // namespace dp::guard
