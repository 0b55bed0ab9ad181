// dp.admissible: whether a role may ask a query, or why not.
#include "budget/ledger/closed_accounts.h"
#include "budget/policy/accounts.h"
#include "guard/preview/dry_run.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

// A protected table in the plan of which the user is no curator; InvalidOid where there is none. What another role may
// ask is told to curators of all its tables only; everyone may ask about themselves.
Oid not_to_be_known(const PlannedStmt* plan, Oid role) {
  const Oid user = GetUserId();
  if (has_privs_of_role(user, role)) return InvalidOid;
  ListCell* cell;
  foreach (cell, plan->relationOids) {
    const auto protection = budget::protection_of(lfirst_oid(cell));
    if (protection && !budget::is_curator(protection->relation, user)) return protection->relation;
  }
  return InvalidOid;
}

[[noreturn]] void refuse_to_tell(Oid relation) {
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("only a curator of table %s can see what another role may ask of it: leave the role out to "
                         "see what you may ask",
                         get_rel_name(relation)),
                  errhint("Leave the role out to see what you may ask yourself.")));
  pg_unreachable();
}

// A row (admissible, sqlstate, message, hint). The detail of an error follows its message.
Datum row_of(FunctionCallInfo fcinfo, const ErrorData* error) {
  TupleDesc row;
  if (get_call_result_type(fcinfo, nullptr, &row) != TYPEFUNC_COMPOSITE) elog(ERROR, "return type must be a row type");
  Datum values[4] = {BoolGetDatum(error == nullptr)};
  bool nulls[] = {false, error == nullptr, error == nullptr, error == nullptr || error->hint == nullptr};
  if (error != nullptr) {
    const char* const detail = error->detail;
    values[1] = CStringGetTextDatum(unpack_sql_state(error->sqlerrcode));
    values[2] =
        CStringGetTextDatum(detail == nullptr ? error->message : psprintf("%s\nDETAIL:  %s", error->message, detail));
    if (error->hint != nullptr) values[3] = CStringGetTextDatum(error->hint);
  }
  return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls));
}

// The error that the query would raise before its first row; nullptr where there is none, or where a `hidden` table is
// in its way. In a subtransaction, whose abort frees what the planner or the executor held when they raised it.
ErrorData* refusal_of(const char* query, Oid role, Oid* hidden) {
  MemoryContext const memory = CurrentMemoryContext;
  ResourceOwner const owner = CurrentResourceOwner;
  BeginInternalSubTransaction(nullptr);
  MemoryContextSwitchTo(memory);
  ErrorData* error = nullptr;
  try {
    pg::call([=] {
      const auto may_go_on = [=](const PlannedStmt* plan) {
        return !OidIsValid(*hidden = not_to_be_known(plan, role));
      };
      // Errors of any kind are taken as errors of the query, so that the subtransaction always ends.
      pg::entry([=] {
        dry_run("dp.admissible", query, role, may_go_on,
                [](const ReleaseNode* node) { budget::require_open(node->charges(0)); });
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

// dp.admissible(query text, role regrole) returns (admissible boolean, sqlstate text, message text, hint text): of the
// refusal.
DP_SQL_FUNCTION(dp_admissible) {
  const char* const query = query_argument(fcinfo, "dp.admissible");
  const Oid role = PG_ARGISNULL(1) ? GetUserId() : PG_GETARG_OID(1);
  Oid hidden = InvalidOid;
  const ErrorData* const error = refusal_of(query, role, &hidden);
  if (OidIsValid(hidden)) pg::call([hidden] { refuse_to_tell(hidden); });
  if (error != nullptr && (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_OUT_OF_MEMORY))
    pg::call([error] { ReThrowError(const_cast<ErrorData*>(error)); });
  return pg::call([=] { return row_of(fcinfo, error); });
}

}  // namespace dp::guard
