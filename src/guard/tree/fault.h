// Faults of ours in a query tree: a column that leads nowhere, a list that is shorter than the tree says.
//
// None is known. If one is met all the same the statement ends before anything is planned or charged: a tree that means
// something else than was asked must not run.
#pragma once

namespace dp::guard {

// Raises XX000. `what`, a sentence without an end, goes to the server's log alone: it may name what a view hides.
[[noreturn]] void raise_tree_fault(const char* what);

}  // namespace dp::guard
