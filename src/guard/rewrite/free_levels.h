// Levels over a protected table that need none of its rows: the ends of declared ranges, the groups that there can be.
#pragma once

#include "guard/relations/from_clause.h"

namespace dp::guard {

// Whether it is a protected table that the asking role may not read, though it has an account for it. nullptr: no.
bool is_denied_with_account(const pg::Permissions* table);

// Whether one of these tables is.
bool reads_denied(const Sources& sources);

// Whether the level names one in its FROM, itself or through views and subqueries that only choose rows and columns.
bool names_denied(const Query* level);

// Whether the level groups its rows, by GROUP BY or by DISTINCT over columns of its own.
bool has_keys(const Query* level);

// Whether something is joined in the level.
bool has_joins(const Query* level);

// The level without aggregates, which reads its tables no more: one row of constants.
void read_nothing(Query* level, List* levels, const Sources& sources);

// Where the statement itself is such a level: its one row comes from generate_series(1, 1) under a name that EXPLAIN
// shows, in place of a Result that says nothing. Below others it stays a row of constants, which they make use of.
void name_free_level(Query* statement);

}  // namespace dp::guard
