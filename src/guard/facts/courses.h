// Where the values of an expression change while one number does that it is computed from.
#pragma once

#include "core/bounds/course.h"
#include "pg/planner.h"

namespace dp::guard {

// Of an expression, or a list of them, whatever the values of its other columns. `number`: a column, or what has been
// computed of one and stands in the expression: extract(epoch FROM t).
bounds::Course course_over(Node* expression, const void* number);

// The number that a constant is; 0 where it is none.
double real_constant(Node* node);

}  // namespace dp::guard
