// dp.admissible: whether a role may ask a query, or why not.
#include "budget/closed_sql.h"
#include "budget/policy_rows_sql.h"
#include "guard/dry_run.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// Curators of any table may know what its budgets let others do; everyone what they may do themselves.
void require_may_know(Oid role) {
  const Oid user = GetUserId();
  if (has_privs_of_role(user, role)) return;
  ListCell* cell;
  foreach (cell, budget::all_protected()) {
    if (budget::is_curator(static_cast<budget::Policy*>(lfirst(cell))->relation, user)) return;
  }
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("only a curator can see what another role may ask"),
                  errhint("Leave the role out to see what you may ask yourself.")));
}

// What PostgreSQL says of an error, in one text.
char* text_of(const ErrorData* error) {
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "%s", error->message);
  if (error->detail != nullptr) appendStringInfo(&text, "\nDETAIL:  %s", error->detail);
  if (error->hint != nullptr) appendStringInfo(&text, "\nHINT:  %s", error->hint);
  return text.data;
}

// The error that the query would raise before its first row; nullptr where there is none. In a subtransaction, which frees what the
// planner or the executor had in hand when they raised it.
ErrorData* refusal_of(const char* query, Oid role) {
  MemoryContext const memory = CurrentMemoryContext;
  ResourceOwner const owner = CurrentResourceOwner;
  BeginInternalSubTransaction(nullptr);
  MemoryContextSwitchTo(memory);
  ErrorData* error = nullptr;
  try {
    pg::call([=] {
      // Whatever is wrong is an error of the query, so that the subtransaction always comes to its end.
      pg::entry([=] {
        dry_run("dp.admissible", query, role, [](const ReleaseNode* node) { budget::require_open(node->charges(0)); });
      });
      ReleaseCurrentSubTransaction();
    });
  } catch (const pg::PostgresError& refusal) {
    error = refusal.data;
  }
  if (error != nullptr) RollbackAndReleaseCurrentSubTransaction();
  MemoryContextSwitchTo(memory);
  CurrentResourceOwner = owner;
  return error;
}

}  // namespace

// dp.admissible(query text, role regrole) returns text: yes, or the text of the refusal.
DP_SQL_FUNCTION(dp_admissible) {
  const char* const query = query_argument(fcinfo, "dp.admissible");
  const Oid role = PG_ARGISNULL(1) ? GetUserId() : PG_GETARG_OID(1);
  pg::call([role] { require_may_know(role); });
  const ErrorData* const error = refusal_of(query, role);
  if (error == nullptr) PG_RETURN_TEXT_P(cstring_to_text("yes"));
  if (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_OUT_OF_MEMORY)
    pg::call([error] { ReThrowError(const_cast<ErrorData*>(error)); });
  PG_RETURN_TEXT_P(cstring_to_text(text_of(error)));
}

}  // namespace dp::guard
