// The core of a query level with DP aggregates: protected rows, conditions, group keys, DP aggregates; nothing else.
#pragma once

#include <optional>

#include "guard/rewrite/rewrite.h"

namespace dp::guard {

struct CoreParts {
  Core what;
  Query* query;   // the core; its columns are the keys, then the answers
  List* keys;     // Node: the group keys as the level writes them; the i-th is column i + 1
  List* answers;  // Node: the level's different Aggrefs and GroupingFuncs, as seen from the level itself
  List* columns;  // int: the core's column of each of them
};

// The core of a level; nothing where the level has no DP aggregates, or reads no protected table below them. `levels` are the
// queries around it, innermost first, starting with the level itself, whose joins have been flattened. Leaves the level as it is.
// Raises DP002 where the level reads a protected table below its DP aggregates but has no such core.
std::optional<CoreParts> make_core(Query* level, List* levels, const Cores& cores);

}  // namespace dp::guard
