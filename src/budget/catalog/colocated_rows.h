// The rows of dp.colocated: which protected foreign tables stand for tables that have the rows of each privacy unit
// side by side on their server. Nothing here asks what the current role may do.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Whether it was said of both together; also of a table and itself.
bool are_declared_colocated(Oid one, Oid other);

// The tables (oid) of which it was said together with that one, itself among them.
List* colocated_with(Oid relation);

// Whether Citus was found to spread the rows of such a table over servers of its own.
bool is_spread(Oid relation);

void add_colocated(Oid relation, Oid first, bool spread);

// What was said of that table, of all together where it was the first of them.
void remove_colocated(Oid relation);

// That relation goes: what gets its number later is another one.
void forget_colocation_of_dropped(Oid relation);

}  // namespace dp::budget
