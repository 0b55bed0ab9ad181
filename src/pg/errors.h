// Errors across the seam, in both directions.
//
// PostgreSQL's errors are long jumps that skip destructors; a C++ exception that leaves an extern "C" function takes
// the whole cluster down. So every function that SQL or a hook calls goes through `entry`, the only place that catches,
// and a PostgreSQL function that may raise while objects with destructors are alive goes through `call`.
#pragma once

#include <csetjmp>
#include <exception>
#include <type_traits>

#include "core/mechanism/error.h"
#include "pg/server.h"

namespace dp::pg {

// SQLSTATEs of our own.
inline constexpr int kBudgetExhausted = MAKE_SQLSTATE('D', 'P', '0', '0', '1');
inline constexpr int kNotAdmissible = MAKE_SQLSTATE('D', 'P', '0', '0', '2');
inline constexpr int kNoSuchRelease = MAKE_SQLSTATE('D', 'P', '0', '0', '3');
inline constexpr int kNotLoaded = MAKE_SQLSTATE('D', 'P', '0', '0', '4');
inline constexpr int kAccountClosed = MAKE_SQLSTATE('D', 'P', '0', '0', '5');
inline constexpr int kNotOnStandby = MAKE_SQLSTATE('D', 'P', '0', '0', '6');
inline constexpr int kLedgerInDoubt = MAKE_SQLSTATE('D', 'P', '0', '0', '7');

// A PostgreSQL error on its way through C++ frames; `data` lives in the memory context that was current at `call`.
struct PostgresError : std::exception {
  explicit PostgresError(ErrorData* caught) : data(caught) {}
  ErrorData* data;
};

// Where PostgreSQL's errors go at a point of the program, and in which memory it works there. Frames that an exception
// passes cannot take back what they put there, and it would point into them; so who lets exceptions end restores it.
// Plain data: a destructor would be skipped by the long jumps that this is about.
struct Surroundings {
  sigjmp_buf* jump = PG_exception_stack;
  ErrorContextCallback* context = error_context_stack;
  MemoryContext memory = CurrentMemoryContext;

  void restore() const {
    PG_exception_stack = jump;
    error_context_stack = context;
    MemoryContextSwitchTo(memory);
  }
};
static_assert(std::is_trivially_destructible_v<Surroundings>);

// f returned: whatever it called took its own handlers back.
inline void end_of_call(const Surroundings& outer, [[maybe_unused]] const sigjmp_buf& jump) {
  Assert(PG_exception_stack == &jump && error_context_stack == outer.context);
  PG_exception_stack = outer.jump;
}

// Runs f, which may raise a PostgreSQL error; that error comes out as a PostgresError, with nothing of it lost. What f
// throws comes out as it is. Either way what PostgreSQL knows of its caller is as it was.
template <class F>
auto call(F f) -> decltype(f()) {
  const Surroundings outer;
  sigjmp_buf jump;
  if (sigsetjmp(jump, 0) != 0) {
    outer.restore();
    ErrorData* const data = CopyErrorData();
    FlushErrorState();
    throw PostgresError(data);
  }
  PG_exception_stack = &jump;
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      f();
      end_of_call(outer, jump);
    } else {
      auto result = f();
      end_of_call(outer, jump);
      return result;
    }
  } catch (...) {
    outer.restore();
    throw;
  }
}

// What is left of an exception once its catch block is over: raising inside the block would jump over the exception.
class Failure {
 public:
  // Notes the exception that is being handled. There is one record per process, since it is raised at once and since a
  // buffer on the stack would cost every call of every function: the transition functions run for each row.
  static const Failure& noted();

  [[noreturn]] void raise() const;

 private:
  void note(int code, const char* what, const char* advice);

  // Of a library: where a computation left its range, the parameters were too extreme; all else is a fault of ours.
  void note(const std::exception& error);

  ErrorData* postgres = nullptr;
  int sqlstate = 0;
  char message[1024];
  char hint[1024];
};

// Runs body and turns whatever it throws into a PostgreSQL error, which goes to the handlers that were there before.
template <class F>
auto entry(F body) -> decltype(body()) {
  const Surroundings outer;
  const Failure* failure;
  try {
    return body();
  } catch (const std::exception&) {
    failure = &Failure::noted();
  }
  outer.restore();
  failure->raise();
}

}  // namespace dp::pg

// Makes the C function `name` callable from SQL; its definition follows.
#define DP_SQL_SYMBOL(name)                                          \
  extern "C" DP_EXPORT const Pg_finfo_record* pg_finfo_##name(void); \
  extern "C" DP_EXPORT Datum name(FunctionCallInfo fcinfo);          \
  const Pg_finfo_record* pg_finfo_##name(void) {                     \
    static const Pg_finfo_record info = {1};                         \
    return &info;                                                    \
  }

// Defines the SQL-callable function `name`; the body follows in braces and may throw.
#define DP_SQL_FUNCTION(name)                                       \
  static Datum name##_body(FunctionCallInfo fcinfo);                \
  DP_SQL_SYMBOL(name)                                               \
  Datum name(FunctionCallInfo fcinfo) {                             \
    return dp::pg::entry([fcinfo] { return name##_body(fcinfo); }); \
  }                                                                 \
  static Datum name##_body([[maybe_unused]] FunctionCallInfo fcinfo)

// The same for a function that runs for each row: its body throws nothing, and so nothing stands around it.
#define DP_ROW_FUNCTION(name) \
  DP_SQL_SYMBOL(name)         \
  Datum name(FunctionCallInfo fcinfo)
