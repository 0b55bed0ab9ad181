// Arithmetic whose result cannot leave its type, because of the digits that a column has.
//
// What is asked for must be seen in the finished plan too (inner/plan_check.h), where a part of an expression can be
// the column of another node: of the argument only its type is looked at, which such a column keeps.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the call gives a result for every row: numeric(p, s) divided by a constant that is finite and at least 0.001,
// or at most -0.001.
bool cannot_overflow(Oid function, List* arguments);

}  // namespace dp::guard
