// What curators declare of a column (ranges, values, by which one rows are kept) is stored by its name, so that dumps
// carry it, and follows the column as PostgreSQL's own comments and defaults do: under the name that it had, another
// one begins with nothing said of it.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// A column of the relation has another name from now on. What was still said of that name, which no column had, is
// removed.
void rename_declarations(Oid relation, const char* from, const char* to);

// The column of that name is gone, or comes: what was said of the name holds for none. By which column rows are kept is
// called `instead` then; nullptr: it stays.
void drop_declarations(Oid relation, const char* name, const char* instead);

}  // namespace dp::budget
