// Which function a node of an expression calls.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The function that a node calls, and its arguments; InvalidOid for nodes that call none.
struct CalledFunction {
  Oid function;
  List* arguments;
};
CalledFunction called_by(Node* node);

}  // namespace dp::guard
