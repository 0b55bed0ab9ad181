// dp.answers_left(relation regclass, call text): how often a call may still be asked, found out as dp.cost() finds out
// a price. Nothing runs, so nothing is charged.
#include "budget/ledger/ledger.h"
#include "budget/policy/curator.h"
#include "guard/preview/dry_run.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

constexpr const char* kExample = "dp.answers_left('visits', $$dp_count('*', 0.1)$$)";

const char* call_argument(FunctionCallInfo fcinfo) {
  if (!PG_ARGISNULL(1)) return text_to_cstring(PG_GETARG_TEXT_PP(1));
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("call of dp.answers_left must not be NULL"),
                  errhint("For example %s.", kExample)));
  pg_unreachable();
}

}  // namespace

DP_SQL_FUNCTION(dp_answers_left) {
  const Oid relation = budget::oid_argument(fcinfo, 0, "relation", kExample);
  const char* const call = call_argument(fcinfo);
  budget::require_relation(relation);
  const char* const table =
      quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), get_rel_name(relation));
  List* charges = NIL;
  const Trial own{InvalidOid, [](const Query*) { return true; }, [](const PlannedStmt*) { return true; }};
  // As it is answered anew: what is stored of it may be shown again or made more accurate for less.
  dry_run("dp.answers_left", psprintf("SELECT %s FROM %s", call, table), own, [&](const ReleaseNode* node) {
    charges = list_concat(charges, node->entries("query", node->price, node->price, 0));
  });
  const std::int64_t times = charges == NIL ? PG_INT64_MAX : budget::times_left(budget::entries_of(charges));
  if (times == PG_INT64_MAX) PG_RETURN_NULL();
  PG_RETURN_INT64(times);
}

}  // namespace dp::guard
