// What EXPLAIN says of a release node.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

struct ReleaseNode;

// What it will be charged on servers of other owners, before it is charged here: "epsilon 0.1 on server shop_b for its
// table public.customers"; nullptr where nothing is.
const char* charged_elsewhere(const ReleaseNode& node);

// How far the answer of an aggregate will be off in the mean, "38.2" or "3.00 ranks"; nullptr where that depends on the
// data, or on rows that are not read before it is asked. Throws what the laws throw.
const char* error_before(const ReleaseNode& node, int aggregate);

// The node has begun. Public facts alone, where somebody who sees the plan may not read a table.
void explain_release(ReleaseNode* node, ExplainState* es);

}  // namespace dp::guard
