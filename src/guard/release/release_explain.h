// What EXPLAIN says of a release node.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct ReleaseNode;

// The node has begun. Public facts alone, where somebody who sees the plan may not read a table.
void explain_release(ReleaseNode* node, ExplainState* es);

}  // namespace dp::guard
