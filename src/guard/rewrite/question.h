// What an inner query asks, without what does not change its meaning: aliases, names of columns, permissions, and the
// numbers that ORDER BY of the level around it gives group keys.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// A copy in that form. Before units are limited: how, follows from it and the policy. `shows_all`: as sources have it;
// there it is the left join that was asked, which has other groups than the inner one. `subqueries` (PublicSubquery):
// those that are run by themselves; the rows that came of them are part of the question.
Query* question_of(const Query* inner_query, JoinExpr* shows_all, List* subqueries);

}  // namespace dp::guard
