// What a core may say: an allow-list of expressions that can raise no error about single rows, and show nothing of them.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Raises DP002 unless the expression, over the core's table at range-table index 1, is admitted. `place` names it in messages
// (WHERE, GROUP BY, an aggregate). Parts that read no row but are not plain constants are appended to `constants`: they are to
// be evaluated once before any row is read, so that their errors do not depend on whether a row gets there.
void admit(Node* expression, const char* place, List** constants);

}  // namespace dp::guard
