// Calls of PostgreSQL's functions that may raise an error about their arguments.
#pragma once

#include <csetjmp>

#include "total_functions/registry.h"

namespace dp::total {

// Whether an error says something about the arguments, rather than about the server: its resources, a cancel, a fault
// in it.
bool is_about_arguments(int sqlstate);

// Runs f, which must be a function of its arguments alone: with no lock, buffer or catalogue entry to give back when it
// fails, so that nothing needs a subtransaction. False if it raised an error about its arguments; any other is raised
// again.
template <class F>
bool attempt(Datum* result, F f) {
  sigjmp_buf* const outer_jump = PG_exception_stack;
  ErrorContextCallback* const outer_context = error_context_stack;
  MemoryContext const memory = CurrentMemoryContext;
  sigjmp_buf jump;
  if (sigsetjmp(jump, 0) == 0) {
    PG_exception_stack = &jump;
    error_context_stack = nullptr;  // nobody will read where it happened
    *result = f();
    PG_exception_stack = outer_jump;
    error_context_stack = outer_context;
    return true;
  }
  PG_exception_stack = outer_jump;
  error_context_stack = outer_context;
  MemoryContextSwitchTo(memory);
  if (!is_about_arguments(geterrcode())) pg_re_throw();
  FlushErrorState();
  return false;
}

}  // namespace dp::total

// The body of a total function: what the expression gives, or NULL where it raises an error about its arguments.
#define DP_RETURN_ATTEMPT(expression)                                                            \
  do {                                                                                           \
    Datum attempted;                                                                             \
    if (dp::total::attempt(&attempted, [&]() -> Datum { return expression; })) return attempted; \
    PG_RETURN_NULL();                                                                            \
  } while (false)

// The total form of a function of PostgreSQL, called with the same arguments in the same way.
#define DP_TOTAL_FORM(name, function) \
  DP_TOTAL_FUNCTION(name) { DP_RETURN_ATTEMPT(function(fcinfo)); }
