// Expressions of a finished plan as they were before the planner took them apart.
//
// What a node below has computed, for a group key or a sort, the nodes above take from it: beside GROUP BY i / 10 the
// argument of sum(i / 10 * 10) is "that column, times 10". Only as a whole does it show that it cannot overflow
// (facts/proven_numbers.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// A copy of these expressions of a plan's node, with what computes them in the place of columns of the nodes below, and
// of the index that is read. Where a column comes from one of several (of partitions), COALESCE of what computes it in
// each: only what holds for all of them may be concluded. What cannot be followed stays a column, and so does all
// that would take more than 200,000 steps.
List* with_columns_of_below(List* expressions, const Plan* node);

}  // namespace dp::guard
