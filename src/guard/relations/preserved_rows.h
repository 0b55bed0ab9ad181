// public LEFT JOIN protected: rows of public tables that are kept where there is no protected row.
//
//   SELECT w.name, count(s.id) FROM wards w LEFT JOIN stays s ON s.ward = w.id GROUP BY w.name
//
// Such a row is nobody's, and to no aggregate of a column that it lacks does it matter. What it is there for, a group
// without protected rows, the public keys have anyhow. So the join is made an inner one, of which the conditions leave
// no group out.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// Makes an inner join of the left one that the table, the first of the protected ones, may be missing from. Raises
// DP002 where the preserved rows would matter: to an aggregate (`aggregates`: Aggref, of the level), or to a key of a
// protected table. `guarded`: int, the protected ones.
void drop_preserved_rows(Query* level, Sources* sources, int missing, List* guarded, List* aggregates, int location);

}  // namespace dp::guard
