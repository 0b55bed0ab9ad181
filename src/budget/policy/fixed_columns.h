// Columns that no UPDATE changes, so that a row says once and for all in which period it lies.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Has UPDATEs of that column refused, of the table and its partitions.
void fix_column(Oid relation, const char* column);

// Whether they are: by a trigger that is there, always fires, and comes after all that may change the row.
bool is_fixed(Oid relation, const char* column);

}  // namespace dp::budget
