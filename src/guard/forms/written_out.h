// Expressions that PostgreSQL takes as one, as the simpler ones that they stand for, each of which has a total form or
// is total: comparisons of rows, OVERLAPS with intervals, format(), arguments by name, parts of texts (text_parts.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// What the node stands for, where it is one of these; else the node itself. Not what is below it.
Node* written_out(Node* node);

}  // namespace dp::guard
