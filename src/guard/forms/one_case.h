// Expressions over a citext that give the same for all its values that are equal but for the case.
#pragma once

#include "guard/functions/calls.h"
#include "guard/functions/function_facts.h"

namespace dp::guard {

// Whether the expression, in the form in which it runs, reads a citext in another way: x::text, left(x, 3). What it is
// for one of the values of a list, it need not be for the rows that are equal to that value.
bool tells_cases_apart(Node* form);

// Whether the node matches the text of something, its first argument, with a pattern that ignores case.
inline bool is_match_ignoring_case(Node* node) {
  const FunctionFacts* const facts = facts_of(called_by(node).function);
  return facts != nullptr && facts->ignores_case;
}

}  // namespace dp::guard
