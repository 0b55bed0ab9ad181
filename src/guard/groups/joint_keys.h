// Group keys that depend on each other, because they are computed from the same columns:
//
//   GROUP BY date_trunc('year', d), date_trunc('month', d)
//
// Of all combinations of their values only those are shown that a row can have: what the keys are together at the
// points of their columns (key_points.h), found as the values of one key are. Where there are too many points for that
// (kMostKeyPoints) all combinations are shown.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// Which keys depend on each other, each set of them in the form in which a plan can hold it (JointKeys); NIL where none
// do. `keys`: Node, in the form in which they run, over the tables of the sources. `conditions` (a list; all hold for
// every row that counts) as they run.
List* dependent_keys(List* keys, const Sources& sources, List* conditions);

// The same for the keys of a question that keeps the rows of a list (relations/value_lists.h). `rows`: for each a List
// of what WHERE says of it and of all keys (Node), which read no row.
List* keys_of_rows(List* rows);

struct JointKeys {
  List* numbers;     // int: of the keys, from 0
  List* values;      // Node: the keys over a point
  List* columns;     // of a point, as in KeyPoints
  List* parts;       // the same
  List* conditions;  // the same
  List* rows = NIL;  // in place of the last four: List of Node, what the keys are in the rows of a list that are kept

  List* as_list() const { return lappend(list_make5(numbers, values, columns, parts, conditions), rows); }
  static JointKeys of(const List* list);
};

}  // namespace dp::guard
