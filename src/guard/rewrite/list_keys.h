// Which groups there are where a query groups by several columns of a list of constants: its rows, not all combinations
// of its values.
//
//   SELECT w.id, w.name, count(*) FROM stays s JOIN (VALUES (1, 'north'), (2, 'south')) AS w (id, name)
//   ON w.id = s.ward GROUP BY w.id, w.name
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// (w.id = 1 AND w.name = 'north') OR ..., over the level, which holds for all of its rows; nullptr where no list has
// several of its columns among the keys.
Node* rows_of_lists(const Query* level, const Sources& sources);

// For each row of the list whose rows are kept, where the level has one: a List of what WHERE says of it, and of all
// group keys (Node, over the level), which read no row. NIL where there is none, where its rows are not written out,
// and where its columns themselves are the keys.
List* preserved_rows(const Query* level, const Sources& sources);

// The values of the key of that number (from 1) in these rows.
inline List* values_of_key(const List* preserved_rows, int number) {
  List* values = NIL;
  ListCell* row;
  foreach (row, preserved_rows) values = lappend(values, list_nth(static_cast<List*>(lfirst(row)), number));
  return values;
}

}  // namespace dp::guard
