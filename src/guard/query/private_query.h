// A private query as it travels through the plan: what its release node must know, and the finished plan of its inner query.
//
// A node of its own, which copies whole and prints nothing: whoever asks to see the plan of the statement sees none of it.
#pragma once

#include "guard/rewrite/rewrite.h"

namespace dp::guard {

struct PrivateQuery {
  ExtensibleNode node;
  Core core;
  PlannedStmt* plan;
};

// Copies nothing.
PrivateQuery* make_private_query(const Core& core, PlannedStmt* plan);

// Makes the kind of node known. Called once, from shared_preload_libraries.
void register_private_query();

}  // namespace dp::guard
