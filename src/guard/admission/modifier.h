// Whether a value is what its type modifier says: numeric(5,2), varchar(10).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// PostgreSQL does not look at the modifiers of a column definition list, unnest(records) AS t (a numeric(5,2)), nor
// again where such columns go into a table; so a column may hold what its type excludes. What is admitted of an
// expression because of its columns' modifiers rests on this. Also of arrays of such; true for types without one.
// `value` is not NULL.
bool is_within_modifier(Datum value, Oid type, int32 modifier);

}  // namespace dp::guard
