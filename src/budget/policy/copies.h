// Copies of public tables beside rows of protected ones, on other servers: foreign tables of which a curator has said
// (dp.declare_copies) that they have the rows of a table that is here. By them joins are computed where the rows are.
//
// That the rows are the same is the curator's word; they are compared when it is given. What the guarantee and the
// total forms rely on is not believed: a key that stood twice in a copy would count a protected row twice, and a value
// that a CHECK rules out here could fail there. So each unique key, NOT NULL and CHECK of the table has to be one of
// the copy, too, which its server is asked before each question.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// The first column of the table that the copy has not, or with another type; nullptr: there is none.
const char* differing_column(Oid relation, Oid copy);

// The copy of the public table beside the rows of that foreign table, on its server and of its owner; InvalidOid where
// there is none with all its columns.
Oid copy_beside(Oid relation, Oid foreign_table);

// What a column of the foreign table is called on its server.
const char* name_on_server(Oid foreign_table, AttrNumber column);

// The rest of a statement of which `t` is a table's row of pg_class: a row of three texts for each constraint of it,
// which begins with what it is; and the first constraint of the public table that is not among these texts (char*), as
// the end of a message; nullptr: there is none.
extern const char* const kConstraintsOnServer;
const char* lacking_constraint(Oid relation, Oid copy, const List* there);

// Raises an error unless the copy has the rows of the table, which the current role reads.
void require_same_rows(Oid relation, Oid copy);

}  // namespace dp::budget
