// SQL functions in FROM that the planner makes a part of the query.
//
// It does so after the query was split, so private aggregates in such a function (STABLE, set-returning) would be
// overlooked, and ordinary ones not be made private. Here they are put in their places first.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Puts the bodies of these functions in their places, in the query and all queries in it. `parameters` are those of
// the execution that is planned for, nullptr where unknown. The plan then depends on these functions: `global` collects
// how.
void inline_functions(Query* query, ParamListInfo parameters, PlannerGlobal* global);

}  // namespace dp::guard
