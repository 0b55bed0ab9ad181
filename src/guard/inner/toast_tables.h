// Tables of out-of-line values (TOAST) are opened when an execution starts, and stay locked to the end of the
// transaction.
//
// Opened by the first such value, such a table would be locked if and only if there is a row with one; and where
// somebody has filled the server's table of locks that is an error.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Of those tables (oid), which are locked themselves.
void open_toast_tables(List* tables);

}  // namespace dp::guard
