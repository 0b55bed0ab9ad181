// Protected tables whose rows lie side by side on another server, unit by unit, as a curator has said
// (dp.declare_colocated): what joins them along the unit is computed there.
//
// On a server of PostgreSQL's own that holds for all tables of one database. Citus spreads each table over servers of
// its own by one column and plans a join where the rows are only if both are spread by that column in the same way, or
// one is copied to all; other joins it may refuse while it runs them. So it is asked which tables are spread how, when
// that is declared and again before each question.
#pragma once

#include "budget/policy/accounts.h"
#include "budget/policy/shards.h"

namespace dp::budget {

// The column of a protected foreign table that names the unit of its rows; InvalidAttrNumber: it has none of its own.
AttrNumber colocated_by(Oid table);

// Whether rows of one unit in both protected foreign tables are joined on their server.
bool are_colocated(Oid one, Oid other);

// Whether that table's server has Citus; asked by postgres_fdw as that role.
bool has_citus(Oid table, Oid reader);

// The same of what is asked of these tables there, protected ones and copies (oid, of one server), as their server
// says; asked by postgres_fdw as that role. `message`: a sentence of what differs.
ForeignObstacle difference_of_places(const List* tables, Oid reader);

}  // namespace dp::budget
