// Values that the planner must not merge.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The same value, in a form that the planner can neither make a constant of nor find equal to one with another number.
Node* numbered(Node* value, int number);

// Whether a parameter stands in the expression: the planner may come to know its value.
bool has_parameter(Node* node, void* = nullptr);

}  // namespace dp::guard
