// dp.admissible: whether a role may ask a query, or why not.
#include "budget/ledger/closed_accounts.h"
#include "budget/policy/accounts.h"
#include "guard/preview/dry_run.h"
#include "guard/relations/sql_functions.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The protected table of which the relation is, or which is below it, and of which the user is no curator; InvalidOid
// where there is none.
Oid not_curated(Oid relation, Oid user) {
  // A plan names each constant of type oid among its relations: one may be a function, which an aggregate of ours calls.
  if (!SearchSysCacheExists1(RELOID, ObjectIdGetDatum(relation))) return InvalidOid;
  List* const parts =
      has_subclass(relation) ? find_all_inheritors(relation, NoLock, nullptr) : list_make1_oid(relation);
  ListCell* cell;
  foreach (cell, parts) {
    const auto protection = budget::protection_of(lfirst_oid(cell));
    if (protection && !budget::is_curator(protection->relation, user)) return protection->relation;
  }
  return InvalidOid;
}

bool find_not_curated(Node* node, void* found) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblEntry)) {
    const Oid relation = castNode(RangeTblEntry, node)->relid;
    auto& hidden = *static_cast<Oid*>(found);
    if (OidIsValid(relation)) hidden = not_curated(relation, GetUserId());
    return OidIsValid(hidden);
  }
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), find_not_curated, found, QTW_EXAMINE_RTES_BEFORE);
  return pg::walk(node, find_not_curated, found);
}

// A protected table that the query reads and of which the user is no curator. What another role may ask is told to
// curators of all its tables only; everyone may ask about themselves. Whether a query can be planned depends on the
// budgets of the role, so it is asked before that, of the tables that come in with functions as well.
Oid not_to_be_known(const Query* query, Oid role) {
  Oid hidden = InvalidOid;
  if (has_privs_of_role(GetUserId(), role)) return hidden;
  auto* const whole = static_cast<Query*>(copyObjectImpl(query));
  inline_functions(whole, makeNode(PlannerGlobal));
  find_not_curated(reinterpret_cast<Node*>(whole), &hidden);
  return hidden;
}

// The same of a plan.
Oid not_to_be_known(const PlannedStmt* plan, Oid role) {
  Oid hidden = InvalidOid;
  if (has_privs_of_role(GetUserId(), role)) return hidden;
  ListCell* cell;
  foreach (cell, plan->relationOids) {
    hidden = not_curated(lfirst_oid(cell), GetUserId());
    if (OidIsValid(hidden)) break;
  }
  return hidden;
}

[[noreturn]] void refuse_to_tell(Oid relation) {
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                  errmsg("only a curator of table %s can see what another role may ask of it: leave the role out to "
                         "see what you may ask",
                         get_rel_name(relation))));
  pg_unreachable();
}

// A row (admissible, sqlstate, message, hint). The detail of an error follows its message, with what to write.
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
// in its way. In a subtransaction that is always rolled back: that frees what the planner or the executor held when
// they raised it, and the locks, of which who tries joins with table after table would hold ever more.
ErrorData* refusal_of(const char* query, Oid role, Oid* hidden) {
  MemoryContext const memory = CurrentMemoryContext;
  ResourceOwner const owner = CurrentResourceOwner;
  BeginInternalSubTransaction(nullptr);
  MemoryContextSwitchTo(memory);
  ErrorData* error = nullptr;
  try {
    pg::call([=] {
      const Trial trial{role, [=](const Query* read) { return !OidIsValid(*hidden = not_to_be_known(read, role)); },
                        [=](const PlannedStmt* plan) { return !OidIsValid(*hidden = not_to_be_known(plan, role)); }};
      // Errors of any kind are taken as errors of the query, so that the subtransaction always ends.
      pg::entry([=] {
        dry_run("dp.admissible", query, trial, [](const ReleaseNode* node) { budget::require_open(node->charges(0)); });
      });
    });
  } catch (const pg::PostgresError& refusal) {
    error = refusal.data;
  }
  RollbackAndReleaseCurrentSubTransaction();
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
