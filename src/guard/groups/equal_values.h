// Expressions that give the same for all values of a column that are equal and yet look different: 1.0 and 1.00, a day
// and 24 hours, small letters and large ones.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// Whether the expression, in the form in which it runs, gives the same for equal values of each column of a protected
// table: not q::text, scale(q), extract(day FROM i). What these are for one of the column's public values, they need
// not be for the rows that are equal to that value. (Not a floating-point zero, which is looked at with and without a
// sign.) Every value of a public table's column is looked at as it is, but for the case of its letters.
bool respects_equality(Node* form, const Sources& sources);

}  // namespace dp::guard
