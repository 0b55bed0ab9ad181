// Between which whole numbers the values of expressions lie, whatever the rows hold: by their types, their constants
// and what their functions are defined to compute (i / 10 * 10, extract(month FROM day)::int).
//
// Nothing that somebody declared counts here: a row may lie outside of what was declared, and a call that was let pass
// because of it would raise an error that tells of that row.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether a call of arithmetic with integers or numerics, or of a cast to integers, gives a result for every row: it
// stays within its type, and divides by no zero. False for other functions.
bool stays_in_type(Oid function, List* arguments);

}  // namespace dp::guard
