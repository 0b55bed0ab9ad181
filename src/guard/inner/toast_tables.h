// Where values are stored out of line is opened when an execution starts, and stays locked to the end of the
// transaction.
//
// Opened by the first row whose value is read, it would be locked if and only if there is such a row: an error, where
// somebody has filled the table of locks.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Of those tables (oid), which are locked themselves.
void open_toast_tables(List* tables);

}  // namespace dp::guard
