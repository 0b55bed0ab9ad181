#include "guard/inner/server_errors.h"

#include "budget/policy/accounts.h"
#include "budget/policy/shards.h"
#include "pg/foreign.h"

namespace dp::guard {
namespace {

const char* sentence(Failed how) {
  switch (how) {
    case Failed::unreachable:
      return "It could not be asked, or the connection to it was lost.";
    case Failed::ended:
      return "It ended the question: by a time limit, a cancel, a shutdown or too many connections.";
    case Failed::differs:
      return "Its table is not what the foreign table here says of it.";
    case Failed::extension:
      return "It has no pg_dp of this version that is preloaded and may be used.";
    case Failed::refuses:
      return "Its owner does not let it be asked so.";
  }
  pg_unreachable();
}

}  // namespace

void tell_failure(Oid table, Failed how, bool charged) {
  const auto protection = budget::protection_of(table);
  ereport(
      ERROR,
      (errcode(pg::kShardFailed),
       errmsg("server %s, which has rows of table %s, did not answer", quote_identifier(budget::server_name(table)),
              get_rel_name(protection ? protection->relation : table)),
       errdetail("%s", sentence(how)),
       errhint("%s Ask a curator, who finds the reason in the server's log.",
               charged
                   ? "What was charged stays charged."
                   : "Nothing was charged here; what was charged there and could not be taken back stays charged.")));
  pg_unreachable();
}

void log_failure(Oid table, const ErrorData& error) {
  ereport(LOG_SERVER_ONLY,
          (errmsg("server %s failed a private query: %s", quote_identifier(budget::server_name(table)), error.message),
           errdetail_log("SQLSTATE %s. %s", unpack_sql_state(error.sqlerrcode),
                         error.detail != nullptr ? error.detail : ""),
           error.hint != nullptr ? errhint("%s", error.hint) : 0,
           error.context != nullptr ? errcontext("%s", error.context) : 0));
}

bool is_own_interrupt(const ErrorData& error) {
  return error.funcname != nullptr && strcmp(error.funcname, "ProcessInterrupts") == 0;
}

bool is_connection(int sqlstate) { return ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_CONNECTION_EXCEPTION; }

bool is_end_by_server(int sqlstate) {
  switch (sqlstate) {
    case ERRCODE_QUERY_CANCELED:
    case ERRCODE_ADMIN_SHUTDOWN:
    case ERRCODE_CRASH_SHUTDOWN:
    case ERRCODE_CANNOT_CONNECT_NOW:
    case ERRCODE_TOO_MANY_CONNECTIONS:
    case ERRCODE_LOCK_NOT_AVAILABLE:
    case ERRCODE_T_R_SERIALIZATION_FAILURE:
    case ERRCODE_T_R_DEADLOCK_DETECTED:
    case ERRCODE_IDLE_IN_TRANSACTION_SESSION_TIMEOUT:
      return true;
    default:
      return false;
  }
}

}  // namespace dp::guard
