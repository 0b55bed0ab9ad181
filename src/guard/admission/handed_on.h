// Expressions whose value is one of their parts' values, as it is.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The parts whose values the expression hands on: the results of CASE, the arguments of COALESCE, GREATEST and LEAST,
// what is relabelled as another type. Without those that are NULL for every row. NIL for other expressions.
List* handed_on(Node* expression);

}  // namespace dp::guard
