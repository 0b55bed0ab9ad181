// Which subqueries, CTEs and functions in FROM are run by themselves, as query/public_rows.h has it: those that read
// public tables only and nothing of the level around them, change nothing, and give the same rows whenever they run in
// a statement. What else they do is their own affair.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// The entry's rows as a statement of its own, with the CTEs that it reads, a copy; nullptr where it is none of these;
// then `unsupported` says why, where only little is in the way. `levels`: the queries around the entry, innermost
// first.
Query* public_query(const RangeTblEntry* entry, List* levels, const char** unsupported);

}  // namespace dp::guard
