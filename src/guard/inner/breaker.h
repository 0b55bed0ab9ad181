// The circuit breaker: what happens if reading private rows fails.
//
// Nothing below the noise should fail because of what a row holds. If something does, the error would tell of that row.
// So whoever asked learns only that something failed, and cannot try again: the accounts that pay are closed, durably,
// until a curator opens them. A fault in what is admitted tells one bit in all. While rows are read, messages of all
// levels stay on the server.
//
// Not an error of that kind: what the outside does to a query, whatever the rows (cancel, timeouts, shutdown,
// conflicts). Errors that end the session do not pass here.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Runs work(argument), which may raise and throw. Should that be an error of the rows, its text goes to the server's
// log and DP005 is raised in its place, with the same words each time. `charges`: palloc'd budget::Entry, whose payers
// are closed then; `query`: the text of the statement. Has to run where append() can work.
void guarded(List* charges, const char* query, void (*work)(void*), void* argument);

}  // namespace dp::guard
