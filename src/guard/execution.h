// The executor's part of the guard: what one execution will charge, and the release that it leaves.
//
// Before its first row a statement with DpRelease nodes must fit the accounts as a whole; each node is charged when it runs. When
// the statement is over, what its nodes answered is stored as one release.
#pragma once

#include "guard/release_node.h"

namespace dp::guard {

// A node tells its execution that it is there. Called when the node is initialised.
void enlist(EState* estate, ReleaseNode* node);

// The number of the release that this execution will leave; 0 where none is kept. Given on first use.
std::int64_t release_number(EState* estate);

// Installs the executor hooks. Called once, from shared_preload_libraries, after those of the aggregates.
void install_execution();

}  // namespace dp::guard
