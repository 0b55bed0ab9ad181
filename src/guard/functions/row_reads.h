// What reads no row is the same for all of them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether an expression, or a part of it that is not bound within it, depends on a row.
bool reads_row(Node* expression);

}  // namespace dp::guard
