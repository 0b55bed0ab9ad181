// What the planner may know of an inner query's tables: the statistics of their columns.
//
// PostgreSQL keeps statistics from operators that are not leakproof where the role may not read the column, since such
// an operator could tell what they hold. So a role without SELECT got plans made of default estimates: a third of the
// rows for each comparison of a numeric. In an inner query there is no such operator: what is admitted raises no error
// for any value, messages are silenced while it is planned (query/silence.h), and its plan is shown to nobody
// who lacks SELECT.
#pragma once

#include "pg/statistics.h"

namespace dp::guard {

// Finds the statistics of a table's column, for the estimates of any operator. False where PostgreSQL's own rules are
// to hold: it is no table, or conditions of row security hide some of its rows.
bool find_statistics(const RangeTblEntry* table, AttrNumber column, VariableStatData* found);

}  // namespace dp::guard
