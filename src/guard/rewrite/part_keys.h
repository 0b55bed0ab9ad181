// Group keys that are made of several columns with ranges, whose points together are too many to be looked at: the
// length of a stay, discharged - admitted, or coalesce(left_on, hired).
//
// The least part that reads several columns, where its values are days or multiples of a known number (facts/grains.h)
// between known bounds (value_bounds.h), is taken for a column with that range: the key is looked at at each of its
// values. Where that leaves too much it is the largest part. So is what rounds to a whole number, floor(sqrt(x)), and
// any part with few values, id % 10 or length(code), of one column, too. There may be more values than rows can have,
// as where the columns depend on each other, and none of these is left out.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// The image of the key, as image_of_key() has it; NIL where it is not known. `key` and `certain` (all hold) as they
// run, over the sources.
List* image_of_parts(Node* key, const Sources& sources, List* certain);

}  // namespace dp::guard
