// The rows of dp.public_copy: which foreign tables stand for copies of which public tables. Nothing here asks what the
// current role may do.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// The public table of which that foreign table is a copy; InvalidOid: it is none.
Oid original_of(Oid copy);

// All copies of the public table, oid.
List* copies_of(Oid relation);

void add_copy(Oid relation, Oid copy);
void remove_copies(Oid relation);

// That relation goes: what gets its number later is another one.
void forget_copies_of_dropped(Oid relation);

}  // namespace dp::budget
