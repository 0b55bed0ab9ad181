// The post of a split query level: what stands above the core, reading its columns.
#pragma once

#include "guard/rewrite/inner_builder.h"

namespace dp::guard {

// Turns the level into the post of its core, in place. Raises DP002 where the level shows something of the rows that is neither an
// answer nor a group key.
void make_post(Query* level, const CoreParts& core);

}  // namespace dp::guard
