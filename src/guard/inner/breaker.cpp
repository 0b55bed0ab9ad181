#include "guard/inner/breaker.h"

#include "budget/ledger/closed_accounts.h"
#include "pg/errors.h"
#include "pg/execution.h"
#include "pg/foreign.h"

namespace dp::guard {
namespace {

// INFO would pass, which nothing raises that an executor runs. The log gets what a client would have been told by
// default. Parallel workers send theirs to this process, where the same settings decide.
class Quiet {
 public:
  Quiet() : client_(client_min_messages), log_(log_min_messages) {
    client_min_messages = ERROR;
    log_min_messages = Min(log_min_messages, NOTICE);
  }
  ~Quiet() {
    client_min_messages = client_;
    log_min_messages = log_;
  }

 private:
  int client_;
  int log_;
};

bool comes_from_outside(int sqlstate) {
  switch (sqlstate) {
    case ERRCODE_QUERY_CANCELED:      // statement_timeout too
    case ERRCODE_LOCK_NOT_AVAILABLE:  // lock_timeout
    case ERRCODE_ADMIN_SHUTDOWN:      // of a parallel worker: the leader's own ends the session
    case ERRCODE_CRASH_SHUTDOWN:
    case ERRCODE_T_R_SERIALIZATION_FAILURE:
    case ERRCODE_T_R_DEADLOCK_DETECTED:
    case pg::kShardFailed:
      return true;
    default:
      return false;
  }
}

// What a failed operation has left behind and the abort of its transaction would tidy up. The ledger is written before
// that.
void let_go() {
  LWLockReleaseAll();
  pgstat_report_wait_end();
  pg::abort_buffer_reads();
  UnlockBuffers();
  XLogResetInsertion();
  ConditionVariableCancelSleep();
  LockErrorCleanup();
}

// Before anything that needs memory: copying the error may fail, too.
void watch(std::span<const budget::Share> payers, void (*work)(void*), void* argument) {
  PG_TRY();
  {
    pg::entry([=] { work(argument); });
  }
  PG_CATCH();
  {
    if (!comes_from_outside(geterrcode())) {
      let_go();
      budget::shut(payers);
    }
    PG_RE_THROW();
  }
  PG_END_TRY();
}

// nullptr: f has run to its end.
template <class F>
ErrorData* failure_of(F f) {
  return pg::entry([&]() -> ErrorData* {
    try {
      pg::call(f);
      return nullptr;
    } catch (const pg::PostgresError& error) {
      return error.data;
    }
  });
}

void log(const char* what, const ErrorData& error) {
  ereport(LOG_SERVER_ONLY,
          (errmsg("%s: %s", what, error.message),
           errdetail_log("SQLSTATE %s.%s%s", unpack_sql_state(error.sqlerrcode), error.detail != nullptr ? " " : "",
                         error.detail_log != nullptr ? error.detail_log
                         : error.detail != nullptr   ? error.detail
                                                     : ""),
           error.hint != nullptr ? errhint("%s", error.hint) : 0,
           error.context != nullptr ? errcontext("%s", error.context) : 0));
}

// As a list of calls.
const char* calls_to_reopen(std::span<const budget::Share> payers) {
  StringInfoData calls;
  initStringInfo(&calls);
  for (const budget::Share& payer : payers) {
    appendStringInfo(&calls, "%s%s", calls.len > 0 ? ", " : "", budget::call_to_reopen(payer));
  }
  return calls.data;
}

[[noreturn]] void stop(std::span<budget::Share> payers, const char* query, const ErrorData& error) {
  HOLD_INTERRUPTS();              // errors have let them in again, and a cancel must not stop this
  error_context_stack = nullptr;  // whose lines would tell where the query was
  failure_of([&] { log("private query stopped, and who asked is closed", error); });
  if (const ErrorData* const failure = failure_of([&] { budget::close(payers, query); })) {
    HOLD_INTERRUPTS();
    const bool is_written = failure->sqlerrcode == pg::kNotOnStandby;
    failure_of([&] {
      log(is_written ? "an account may be open again after a failover"
                     : "the ledger could not be told that an account was closed, which it stays until the server ends: "
                       "unprotect the table or revoke the budget before that",
          *failure);
    });
  }
  const char* calls = nullptr;
  failure_of([&] { calls = calls_to_reopen(payers); });
  if (InterruptHoldoffCount > 0) RESUME_INTERRUPTS();  // an error has resumed them
  ereport(ERROR,
          (errcode(pg::kAccountClosed),
           errmsg("the private query was stopped by an error, and who asked is closed until a curator opens the "
                  "account again"),
           calls != nullptr ? errhint("A curator finds the error in the server's log and then says SELECT %s;", calls)
                            : 0));
  pg_unreachable();
}

}  // namespace

void guarded(List* charges, const char* query, void (*work)(void*), void* argument) {
  const std::span<budget::Share> payers = budget::subjects_of(charges);
  ResourceOwner const owner = CurrentResourceOwner;
  const ErrorData* const error = pg::entry([&]() -> const ErrorData* {
    const Quiet quiet;
    try {
      pg::call([=] { watch(payers, work, argument); });
      return nullptr;
    } catch (const pg::PostgresError& raised) {
      if (comes_from_outside(raised.data->sqlerrcode)) throw;
      return raised.data;
    }
  });
  if (error == nullptr) return;
  CurrentResourceOwner = owner;
  stop(payers, query, *error);
}

}  // namespace dp::guard
