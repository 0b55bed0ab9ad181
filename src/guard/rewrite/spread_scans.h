// Lists of numbers that stand for a function's rows (relations/spread_rows.h) are read as far as a row has elements:
//
//   visits v JOIN numbers n ON n.number <= array_length(v.tags, 1)
//   visits v JOIN LATERAL (SELECT * FROM numbers LIMIT greatest(array_length(v.tags, 1), 0)) n ON n.number <= ...
//
// The numbers are read in their order, so that both are the same; the condition stays. Without it all numbers are tried
// for each row, whatever it has.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Writes those of the inner query so. Called when all else is known of it: it is another query of the same meaning.
void stop_at_last_elements(Query* inner, const InnerQuery& what);

}  // namespace dp::guard
