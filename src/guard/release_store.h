// What the nodes of a finished statement answered, stored as one release.
#pragma once

#include "guard/release_node.h"

namespace dp::guard {

// Stores the answers of a node as part `part` of the release; nothing where the node kept no draws.
void store_part(ReleaseNode* node, std::int64_t release, int part);

}  // namespace dp::guard
