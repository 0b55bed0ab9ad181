#include "guard/query/silence.h"

#include "pg/errors.h"

namespace dp::guard {
namespace {

// Whether a statement of a role without SELECT was started in this session. What a private query leaves in memory shows
// in measures of later statements, too, which auto_explain for example logs.
bool watched_session = false;

// Whether an EXPLAIN of the session is running that measures.
bool asker_measures = false;

emit_log_hook_type next_log = nullptr;

// What another server says when transactions there begin, end or are given up: not while an inner query runs.
bool is_of_transaction_elsewhere(const ErrorData* message) {
  if (message->funcname == nullptr || strncmp(message->funcname, "pgfdw_", strlen("pgfdw_")) != 0) return false;
  if (message->elevel < ERROR || message->context == nullptr) return true;
  for (const char* const command : {"COMMIT", "RELEASE", "START", "SAVEPOINT", "ABORT", "ROLLBACK", "DEALLOCATE"}) {
    if (strstr(message->context, psprintf("remote SQL command: %s", command)) != nullptr) return true;
  }
  return false;
}

void keep_from_client(ErrorData* message) {
  if (next_log != nullptr) next_log(message);
  if (message->elevel <= LOG && watched_session) message->output_to_client = false;
  if (!watched_session || !is_of_transaction_elsewhere(message)) return;
  if (message->elevel < ERROR) {
    message->output_to_client = false;
    return;
  }
  message->detail_log = psprintf("%s %s", message->message, message->detail != nullptr ? message->detail : "");
  message->message = pstrdup("a server that this transaction has asked did not end its part of it");
  message->detail = message->hint = message->context = nullptr;
}

void refuse_serializable() {
  if (!IsolationIsSerializable()) return;
  ereport(ERROR, (errcode(pg::kNotAdmissible),
                  errmsg("private queries of a role without SELECT do not run in SERIALIZABLE transactions"),
                  errdetail("The locks of such a transaction show which rows were read."),
                  errhint("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;")));
}

// EXPLAIN (BUFFERS) without ANALYZE measures too: the pages that the planner read.
void refuse_measures(bool runs) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible),
           errmsg("EXPLAIN %s of a private query is refused to a role without SELECT", runs ? "ANALYZE" : "(BUFFERS)"),
           errdetail("It would show how many %s.", runs ? "rows were read" : "pages the planner read"),
           errhint("EXPLAIN alone shows the price.")));
}

}  // namespace

void install_silence() {
  next_log = emit_log_hook;
  emit_log_hook = keep_from_client;
}

void begin_watched(const EState* estate, int flags) {
  watched_session = true;
  refuse_serializable();
  if (estate->es_instrument != 0 && asker_measures) refuse_measures((flags & EXEC_FLAG_EXPLAIN_ONLY) == 0);
}

ExplainsMeasures::ExplainsMeasures(bool measures) : outer_(asker_measures) { asker_measures = measures; }

ExplainsMeasures::~ExplainsMeasures() { asker_measures = outer_; }

}  // namespace dp::guard
