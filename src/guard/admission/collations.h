// Collations are opened when an execution starts, in every process that runs a part of it.
//
// Opened by the first row that gets to a comparison, a collation whose library has changed warns of it, and one that
// cannot be opened raises an error: if and only if there is such a row.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Opens those of the list (oid) in this process.
void open_collations(List* collations);

// Parameters travel to parallel workers: makes one of them carry the list. Its value lives in the current memory
// context.
void send_collations(List* collations, ParamExternData* parameter);

// In a worker, at the start: opens those that came with the parameters.
void open_sent_collations(ParamListInfo parameters);

}  // namespace dp::guard
