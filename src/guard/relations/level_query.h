// A query level below private aggregates as it runs, where it is a query of its own: one that groups by the privacy
// unit (per_unit_below.h), or a subquery in WHERE (subqueries.h).
#pragma once

#include "guard/query/private_query.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

// Its columns are those of the level, in their order, over the tables of the sources; everything in it is total.
// Raises DP002 for what is not admitted.
Query* level_query(const Query* level, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
