// The start of a release node: all that can be an error is one before anything is charged.
//
// A node whose question compares with answers of the same statement (relations/single_answers.h) starts twice. When the
// execution begins its price is known and the question is not: the price depends on no answer. Before its first fetch
// the answers are asked, which charges for them, and it starts anew with their values, as it would with parameters.
#pragma once

#include "guard/release/release_node.h"

namespace dp::guard {

// For an execution with these flags, in the memory of the query. Raises what stands in the way.
void begin_release(ReleaseNode* node, int flags);

// Runs what the answers come from, where the node waits for them, and starts it anew. Raises what that raises.
void ask_first(ReleaseNode* node);

// Starts a node that waits for them anew with these answers (Const), in the memory of the query.
void start_with(ReleaseNode* node, List* compared);

// Ends the execution of its inner query.
void end_inner(ReleaseNode* node);

}  // namespace dp::guard
