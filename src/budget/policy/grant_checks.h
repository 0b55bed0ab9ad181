// Checks when a budget is granted: what its role may do besides asking private queries.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// A role that may SELECT the whole table reads raw data: it gets a warning. Any other role must have no privilege on
// the table, its columns and the tables below it, and must see no sizes and counters, unless that is accepted;
// otherwise an error says what to do. What it can do by SET ROLE counts as well.
void require_fence(Oid relation, Oid role, bool allow_leaks);

// Whether the role has any privilege on the table or a column of it.
bool has_any_privilege(Oid relation, Oid role);

// Raises 55000 where the role, or one that it can become, may see sizes and counters of tables: the database is not
// hardened any more, or that role was granted more. Found out once in a session, and anew when a function or a
// membership has changed.
void require_sealed(Oid role);

}  // namespace dp::budget
