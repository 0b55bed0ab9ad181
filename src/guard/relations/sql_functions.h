// SQL functions in FROM that the planner makes a part of the query.
//
// It does so after the query was split, so private aggregates in such a function (STABLE, set-returning) would be
// overlooked, and ordinary ones not be made private. Here they are put in their places first.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Puts the bodies of these functions in their places, in the query and all queries in it. The values of parameters stay
// outside, also where they are known: what is admitted for them must be admitted for a plan that serves others. The
// plan then depends on these functions: `global` collects how.
void inline_functions(Query* query, PlannerGlobal* global);

// The body that the planner may put in the place of a function in FROM, with NULLs for the arguments, of which nothing
// is evaluated; nullptr where the function runs as a statement of its own, whatever its arguments are.
Query* body_of(const RangeTblEntry* entry);

}  // namespace dp::guard
