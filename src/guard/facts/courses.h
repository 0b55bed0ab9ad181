// Where the values of an expression change while one column of numbers does.
#pragma once

#include "core/bounds/course.h"
#include "pg/planner.h"

namespace dp::guard {

// Of an expression, or a list of them, whatever the values of its other columns.
bounds::Course course_over(Node* expression, const Var* column);

// Whether the node casts to a type of numbers that are not whole.
bool is_real_cast(Node* node);

// The number that a constant is; 0 where it is none.
double real_constant(Node* node);

}  // namespace dp::guard
