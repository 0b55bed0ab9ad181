// What is the same for all rows: what reads none, what can be computed beforehand, and what is written as a constant.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether an expression, or a part of it that is not bound within it, depends on a row.
bool reads_row_within(Node* expression);
inline bool reads_row(Node* expression) {
  if (expression == nullptr || IsA(expression, Const)) return false;
  return IsA(expression, Var) || IsA(expression, Aggref) || reads_row_within(expression);
}

// The expression, folded unless it calls functions of users: those do not run before it is known what is asked.
Node* folded(Node* expression);

// ---- arguments of a call that is judged -----------------------------------------------------------------------------

// The argument's value; nullptr if it depends on a row or is not known yet. What reads no row has been computed already
// (values.h). Nothing is evaluated here, since it could come out differently when it runs.
const Const* constant(List* arguments, int place);

// Values of other types than integers count as `refused`, a number that the condition does not admit. Not for NULL.
int64 integer(const Const* value, int64 refused);

}  // namespace dp::guard
