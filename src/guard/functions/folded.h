// Constants in the place of what can be computed while a query is rewritten.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The expression, folded unless it calls functions of users: those do not run before it is known what is asked.
Node* folded(Node* expression);

}  // namespace dp::guard
