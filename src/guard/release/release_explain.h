// What EXPLAIN says of a release node.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct ReleaseNode;

// What it will be charged on servers of other owners, before it is charged here: "epsilon 0.1 on server shop_b for its
// table public.customers"; nullptr where nothing is.
const char* charged_elsewhere(const ReleaseNode& node);

// The node has begun. Public facts alone, where somebody who sees the plan may not read a table.
void explain_release(ReleaseNode* node, ExplainState* es);

}  // namespace dp::guard
