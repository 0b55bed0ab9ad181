// Faults of ours in a query tree: what a rewriting step has made is no tree that PostgreSQL would make.
//
// They are found before anything is planned or charged, so what is refused here costs nothing and closes no account.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Raises XX000. Which step made the tree, and what is wrong with it, reaches the server's log alone: it may name tables
// that the asker does not see.
[[noreturn]] void raise_tree_fault(const char* step, const char* what);

}  // namespace dp::guard
