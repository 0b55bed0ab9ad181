#include "guard/rewrite/error_calls.h"

#include "budget/catalog/extension_catalog.h"
#include "guard/admission/refusal.h"
#include "pg/errors.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

constexpr char kError[] = "dp_error", kBias[] = "dp_bias";
constexpr double kConfidence = 0.95;

[[noreturn]] void refuse(bool bias, int location) {
  const char* const name = bias ? kBias : kError;
  const char* const example = bias ? "dp_bias(dp_sum(age, 0, 120, 0.5))" : "dp_error(dp_avg(age, 0, 120, 0.5), 0.9)";
  DP_REFUSE(
      location,
      errmsg("%s is asked of something else than an aggregate over a protected table in the same SELECT", name),
      errhint("Write it beside the answer, around the aggregate alone: SELECT count(*), %s(count(*)), or %s. Plain "
              "aggregates are exact for whoever may read the table. For other numbers there is dp_interval.",
              name, example));
  pg_unreachable();
}

bool find_error_call(Node* node, void*) {
  if (node == nullptr) return false;
  if (is_error_call(node)) refuse(asks_bias(castNode(FuncExpr, node)), castNode(FuncExpr, node)->location);
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), find_error_call, nullptr, 0);
  return pg::walk(node, find_error_call, nullptr);
}

bool find_aggregate(Node* node, void* found) {
  if (node == nullptr) return false;
  if (!IsA(node, Aggref)) return pg::walk(node, find_aggregate, found);
  *static_cast<Aggref**>(found) = castNode(Aggref, node);
  return true;
}

}  // namespace

bool is_error_function(Oid function) {
  const char* const name = get_func_name(function);
  if (name == nullptr || (strcmp(name, kError) != 0 && strcmp(name, kBias) != 0)) return false;
  return budget::is_of_extension(ProcedureRelationId, function);
}

bool asks_bias(const FuncExpr* call) { return strcmp(get_func_name(call->funcid), kBias) == 0; }

Node* answer_of_error(const FuncExpr* call) { return static_cast<Node*>(linitial(call->args)); }

ErrorOf asked_error(const FuncExpr* call) {
  Node* answer = answer_of_error(call);
  int field = 0;
  if (IsA(answer, FieldSelect)) {
    field = castNode(FieldSelect, answer)->fieldnum;
    answer = reinterpret_cast<Node*>(castNode(FieldSelect, answer)->arg);
  }
  return {IsA(answer, Aggref) ? castNode(Aggref, answer) : nullptr, field};
}

Aggref* noisy_within(Node* made, const Aggref* aggregate, int location) {
  Aggref* noisy = nullptr;
  find_aggregate(made, &noisy);
  if (noisy == nullptr) {
    DP_REFUSE(location,
              errmsg("dp_error of %s: the end of what is declared has no error", get_func_name(aggregate->aggfnoid)),
              errhint("Ask it of an aggregate that is answered with noise, for example dp_error(count(*))."));
  }
  return noisy;
}

Node* confidence_of_error(const FuncExpr* call) {
  if (list_length(call->args) > 1) return static_cast<Node*>(lsecond(call->args));
  if (asks_bias(call)) return reinterpret_cast<Node*>(makeNullConst(FLOAT8OID, -1, InvalidOid));
  return reinterpret_cast<Node*>(pg::float8_constant(kConfidence));
}

void require_no_error_call(Query* query) { find_error_call(reinterpret_cast<Node*>(query), nullptr); }

// dp_error(answer anyelement, confidence float8) returns float8, and dp_bias(answer anyelement) returns float8. They
// run only where no private answer stands below them.
DP_SQL_FUNCTION(dp_error) {
  const char* const name = get_func_name(fcinfo->flinfo->fn_oid);
  refuse(name != nullptr && strcmp(name, kBias) == 0, -1);
  PG_RETURN_NULL();
}

// dp_internal.to_fit(answer anyelement, error float8) returns anyelement, dp_internal.to_fit_share likewise: they stand
// in a query while it is planned alone (consistent_levels.h).
DP_SQL_FUNCTION(dp_to_fit) {
  ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("this function is dp.consistent's own"),
                  errhint("Use dp_consistent(answer, error, level, keys) OVER ().")));
  PG_RETURN_NULL();
}

}  // namespace dp::guard
