// Expressions that read no row: which of them may be computed before anything is known of what is asked.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the expression, which reads no row, calls something that is not PostgreSQL's own or ours, or that may do more
// than give a value.
bool calls_harmful(Node* expression);

}  // namespace dp::guard
