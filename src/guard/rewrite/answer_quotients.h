// Division by a private answer.
//
// Plain SQL has no group without rows, so nobody writes nullif() around its count. A private count of a few rows is 0
// now and then, and an error would come after the charge. So above the noise / and %, div and mod, and ln, log, sqrt
// and power of what is computed from answers are called in their total forms, which give NULL there.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// Changes the query, whose levels are split. What is called so is noted in the inner queries, for EXPLAIN.
void divide_by_answers(Query* query, const InnerQueries& inner_queries);

}  // namespace dp::guard
