// Private questions within WITH RECURSIVE.
//
// A recursive term runs once for each step, over the rows of the step before. What a question of its own there asks is
// the same in each step, and asked once. A question that reads such a row, or looks for one, would be another one in
// each step, after the first of them has told what its rows are.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Raises DP002 where a private question within a recursive term depends on rows of the recursion.
void refuse_questions_of_recursion(Query* statement);

}  // namespace dp::guard
