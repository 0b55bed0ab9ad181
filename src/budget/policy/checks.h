// What the schema says of every value of a column: its validated CHECK constraints, and those of its SQL domain.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Conditions that no value makes false, folded; they may be NULL. The value stands in them as a Var of table 1. Of a
// table with children those that these need not have are left out. Palloc'd.
List* checks_of_column(Oid table, AttrNumber column);

// Whether that node of such a condition is the value, as it is or under another name of its type.
bool is_checked_value(Node* node, AttrNumber column);

}  // namespace dp::budget
