// Aggregates that are about the same rows of each privacy unit: avg(a), avg(b), count(*) where neither column is NULL.
//
// Where limits are chosen, how many units have how many rows is the same for all of them, and is counted once: the
// limit of each is computed from the same noisy counts (aggregate/unit/limit_choice.h), for which is paid once.
// Nothing of privacy depends on what is said here: of rows that are others, a limit would only be less good.
#pragma once

#include "guard/query/private_query.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

// `calls`: Aggref, over the tables, with constants folded. Says for each of them in same_rows a number (int, from 1)
// that those have in common which are about the same rows; 0 where no other is. Sums are left out: a limit of theirs is
// one of amounts; and so is DISTINCT.
void find_same_rows(List* calls, const Sources& sources, InnerQuery* what);

}  // namespace dp::guard
