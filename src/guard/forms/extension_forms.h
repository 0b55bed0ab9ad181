// Calls, operators and comparisons of other extensions' types as what they mean in PostgreSQL's own functions
// (extension_functions.h): of citext, comparisons of texts in small letters.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What the node stands for, where it is known; else the node itself. Not what is below it.
Node* without_extensions(Node* node);

// The expression whose values are equal as bytes where those of the expression are equal: lower(x::text) of a citext;
// else the expression itself. A group, and what is counted once, goes by it.
Node* in_one_case(Node* expression);

// A value of that form, as one of the type that the expression was written with.
Node* shown_as(Node* form, Node* written);

}  // namespace dp::guard
