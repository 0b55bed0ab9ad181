// A release node whose answer is published, for a period of a publication (budget/publish/drawn.h).
#pragma once

#include "guard/release/release_node.h"

namespace dp::guard {

// While something is being published: pays for the node's answer, unless that was done. Raises an error before anything
// is charged where the node, one of so many of its statement, could not be answered from what it draws now: inside a
// parallel operation, or by a plan that was made without a question to find it by. Of running totals DP002 where a row
// could count in two periods.
void pay_published(const ReleaseNode& node, int nodes, List* charges);

// Stores what the node drew, durably: before a row leaves it.
void store_published(ReleaseNode* node);

}  // namespace dp::guard
