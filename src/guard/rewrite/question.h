// What an inner query asks, without what does not change its meaning: aliases, names of columns, permissions, and the
// numbers that ORDER BY of the level around it gives group keys.
#pragma once

#include "guard/query/private_query.h"

namespace dp::guard {

// A copy in that form, before units are limited: how, follows from it and the policy. nullptr where no answers to it
// are stored; what a curator says of that makes plans anew. `shows_all`: as sources have it; there it is the left join
// that was asked, which has other groups than the inner one. The rows of subqueries that are run by themselves are part
// of the question.
Query* question_of(const Query* inner_query, JoinExpr* shows_all, const InnerQuery& what);

}  // namespace dp::guard
