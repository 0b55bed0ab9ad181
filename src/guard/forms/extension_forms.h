// Calls, operators and comparisons of other extensions' types as what they mean in PostgreSQL's own functions
// (extension_functions.h): of citext, comparisons of texts in small letters.
#pragma once

#include "guard/forms/extension_functions.h"

namespace dp::guard {

// What the node stands for, where it is known; else the node itself. Not what is below it.
Node* without_extensions(Node* node);

// lower(x::text) of a citext.
Node* in_small_letters(Node* text);

// The expression whose values are equal as bytes where those of the expression are equal: that of a citext; else the
// expression itself. A group, and what is counted once, goes by it.
inline Node* in_one_case(Node* expression) {
  return ignores_case(exprType(expression)) ? in_small_letters(expression) : expression;
}

// A value of that form, as one of the type that the expression was written with.
Node* labelled_as(Node* form, Node* written);
inline Node* shown_as(Node* form, Node* written) {
  return exprType(form) == exprType(written) ? form : labelled_as(form, written);
}

}  // namespace dp::guard
