// The execution of an inner query: what has to be there before it is charged, and an executor of its own within the
// node that asks for it.
//
// Not through the executor's hooks: another library would take it for a statement that somebody sent, and log or count
// it.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Raises 54001 where less than 512 kB are left of the stack, below max_stack_depth.
//
// LIKE recurses at each % of its pattern and @> at each level of what is looked for, as far as the row's value leads
// them: both are constants of at most 1000 bytes. Asked close to max_stack_depth, a row that matches would end in
// "stack depth limit exceeded", after the charge. So enough stack is demanded before the charge.
void require_free_stack();

// Opens the tables of out-of-line values (TOAST) of those tables (oid), which are locked themselves, when an execution
// starts. They stay locked to the end of the transaction.
//
// Opened by the first such value, such a table would be locked if and only if there is a row with one; and where
// somebody has filled the server's table of locks that is an error.
void open_toast_tables(List* tables);

// What runs of an inner query, its start included, runs under the server's settings and says nothing to a role without
// SELECT.
void below_the_noise(bool watched, void (*work)(void*), void* argument);

// Starts the plan with those parameters, under the snapshot of the outer execution. In the current memory context.
// `environment`: the rows that it reads beside tables; `instruments`: what is to be measured of it.
QueryDesc* begin_inner_query(PlannedStmt* plan, const EState* outer, ParamListInfo values,
                             QueryEnvironment* environment, int flags, int instruments);

// Runs it to its end, and calls take(row) with each row; take() may throw.
void run_inner_query(QueryDesc* inner, void (*take)(void* self, TupleTableSlot* row), void* self);

// Also where it never ran.
void end_inner_query(QueryDesc* inner);

// Its plan, and what was measured of it, as part of the outer one's.
void explain_inner_query(QueryDesc* inner, const ExplainState* outer);

}  // namespace dp::guard
