// Which values the conditions of a question let an expression have: WHERE ward IN ('a', 'b'), age BETWEEN 0 AND 12,
// lower(city) = $1.
//
// Who asks has written these values. So they are public whatever is declared, and a group for each of them tells
// nothing: no row of another group reaches the aggregates.
#pragma once

#include <optional>

#include "budget/policy/ranges.h"
#include "pg/planner.h"

namespace dp::guard {

// Conditions over the same columns; all that a list has hold. A plan for any parameters has to list what one for
// particular values does, so what is written decides whether there is a list.
struct KeyQuals {
  List* written;
  Node*
      running;  // in the form in which they run, with constants and parameters of the inner query in the place of all that reads no row
  Node* key;  // the key as it is written
};

// What comparisons with constants leave of an expression, both ends included; no value: that end is open.
struct EndsFromQuals {
  std::optional<Datum> lower, upper;  // of its base type
};
EndsFromQuals ends_from_quals(Node* asked, List* conditions);

// The values (constants and parameters) that conditions leave of an expression, where they list them or leave few whole
// numbers or days between two constants; NIL otherwise. Further conditions may leave fewer of them. `asked`: as it is
// written; `runs`: in the form in which it runs.
// `alone`: some may be in an array that is not known yet, as a list of that array.
List* values_from_quals(Node* asked, Node* runs, const KeyQuals& conditions, bool alone);

// Between which constants conditions put it, as they are written; nothing where one end is open, or where its
// type has no ranges.
std::optional<budget::ColumnRange> range_from_quals(Node* asked, List* written);

}  // namespace dp::guard
