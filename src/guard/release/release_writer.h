// Stores what the nodes of a finished statement answered as one release.
#pragma once

#include "guard/release/release_node.h"

namespace dp::guard {

// Stores the answers of nodes (ReleaseNode*) that have run and kept their draws as the parts of a release. `lists`:
// what the groups cost that they were asked of. False, and nothing is stored, where that number is taken.
bool store_release(List* nodes, const budget::Amount& lists, std::int64_t release);

}  // namespace dp::guard
