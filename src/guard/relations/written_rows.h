// The rows of a LATERAL list, read off the query: expressions over the row beside it.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct WrittenRow {
  List* values;     // Node: what its columns are
  Node* condition;  // under which it is there; nullptr: always
};

// WrittenRow*: of VALUES, of SELECTs without FROM, also under UNION ALL and with unnest(ARRAY[...]) among their
// columns, and of unnest(ARRAY[...]) in FROM, as expressions of the level that the entry stands in. NIL for any other
// entry, and for too many rows.
List* rows_of_lateral(const RangeTblEntry* entry);

}  // namespace dp::guard
