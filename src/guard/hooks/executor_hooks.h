// The executor's part of the guard: what one execution will charge, and the release that it leaves.
//
// Before its first row a statement with DpRelease nodes must fit the accounts as a whole; each node is charged when it runs. When
// the statement is over, what its nodes answered is stored as one release.
#pragma once

#include "guard/release/release_node.h"

namespace dp::guard {

// A node tells its execution that it is there. Called when the node is initialised.
void enlist(EState* estate, ReleaseNode* node);

// The nodes of that execution, in the order of their beginning: a list of ReleaseNode*.
List* release_nodes(const EState* estate);

// Charges a node, durably. The first one of an execution gives its release a number.
void charge(ReleaseNode* node);

// Installs the executor hooks. Called once, from shared_preload_libraries, after those of the aggregates.
void install_execution();

}  // namespace dp::guard
