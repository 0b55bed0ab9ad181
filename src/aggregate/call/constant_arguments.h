// Parameters of an aggregate, evaluated once instead of for each row.
//
// PostgreSQL's executor knows no constant arguments: bounds, epsilon and mechanism are copied into the transition
// function's call for every row, which takes longer than adding a row does. Arguments that are the same for every row
// are put into that call once, and the node's expressions are built again, by PostgreSQL itself, without them.
#pragma once

#include "pg/server.h"

namespace dp::aggregate {

// Whether the expressions of that node may be built again: before it has run, and where that costs and changes nothing
// else.
bool may_hoist(const AggState* node);

// Evaluates the last arguments of that transition, as far as they are the same for every row, for all of its calls.
// True where it did; then the node's expressions must be built again. An aggregate of DISTINCT values keeps its
// arguments: they travel through the sort.
bool hoist_constants(AggState* node, AggStatePerTrans transition);

// The same of all arguments: those that differ by row, NULL here, are put into each call by the transition itself.
void hoist_all(AggState* node, AggStatePerTrans transition);

// Lets that function add rows in place of the declared one. The node's own FmgrInfo stays as declared, since it says
// what the aggregate is. (JIT-compiled code calls the declared function.)
void run_for_rows(AggStatePerTrans transition, PGFunction function);

// Builds the expressions that run the transitions of a node, as the start of the node did.
void rebuild_transitions(AggState* node);

}  // namespace dp::aggregate
