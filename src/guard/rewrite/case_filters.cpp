#include "guard/rewrite/case_filters.h"

#include "guard/functions/aggregates.h"
#include "guard/functions/calls.h"
#include "guard/rewrite/known_aggregates.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Rows for which `condition` is true have `value`, the others none, or 0.
struct OneArm {
  Node* condition = nullptr;
  Expr* value = nullptr;
  bool else_zero = false;
};

Node* put_tested(Node* node, void* tested) {
  if (node == nullptr) return nullptr;
  if (IsA(node, CaseTestExpr)) return static_cast<Node*>(copyObjectImpl(tested));
  // Another CASE has its own.
  if (IsA(node, CaseExpr)) return static_cast<Node*>(copyObjectImpl(node));
  return pg::mutate(node, put_tested, tested);
}

const Const* constant_of(Expr* expression) {
  Node* const folded = eval_const_expressions(nullptr, reinterpret_cast<Node*>(expression));
  return IsA(folded, Const) ? castNode(Const, folded) : nullptr;
}

bool is_zero(const Const* constant) {
  switch (constant->consttype) {
    case INT2OID:
      return DatumGetInt16(constant->constvalue) == 0;
    case INT4OID:
      return DatumGetInt32(constant->constvalue) == 0;
    case INT8OID:
      return DatumGetInt64(constant->constvalue) == 0;
    case FLOAT4OID:
      return DatumGetFloat4(constant->constvalue) == 0;
    case FLOAT8OID:
      return DatumGetFloat8(constant->constvalue) == 0;
    case NUMERICOID:
      return DatumGetBool(DirectFunctionCall2(numeric_eq, constant->constvalue, NumericGetDatum(int64_to_numeric(0))));
    default:
      return false;
  }
}

OneArm one_arm(Expr* expression) {
  if (!IsA(expression, CaseExpr)) return {};
  const auto* const choice = reinterpret_cast<const CaseExpr*>(expression);
  if (list_length(choice->args) != 1) return {};
  const auto* const arm = linitial_node(CaseWhen, choice->args);
  OneArm found{reinterpret_cast<Node*>(arm->expr), arm->result};
  if (choice->arg != nullptr) found.condition = put_tested(found.condition, choice->arg);
  const Const* const otherwise = choice->defresult == nullptr ? nullptr : constant_of(choice->defresult);
  if (choice->defresult == nullptr || (otherwise != nullptr && otherwise->constisnull)) return found;
  if (otherwise == nullptr || !is_zero(otherwise)) return {};
  found.else_zero = true;
  return found;
}

Aggref* filtered(const Aggref* call, Node* condition) {
  auto* const made = static_cast<Aggref*>(copyObjectImpl(call));
  auto* const before = reinterpret_cast<Node*>(made->aggfilter);
  auto* const condition_copy = static_cast<Node*>(copyObjectImpl(condition));
  made->aggfilter = reinterpret_cast<Expr*>(make_and_qual(before, condition_copy));
  return made;
}

// In place: it counts its rows.
Aggref* counting(Aggref* call) {
  call->aggfnoid = kCountOfRows;
  call->aggtype = INT8OID;
  call->aggstar = true;
  call->args = call->aggargtypes = NIL;
  return call;
}

bool is_one(const Const* constant) {
  return constant != nullptr && constant->consttype == INT4OID && DatumGetInt32(constant->constvalue) == 1;
}

// (condition)::int
Node* counted_condition(Expr* value) {
  Node* const from = cast_from(reinterpret_cast<Node*>(value), INT4OID);
  return from != nullptr && exprType(from) == BOOLOID ? from : nullptr;
}

// The call in that form; nullptr for one that is none of these.
Aggref* with_filter_of_case(const Aggref* call) {
  if (call->aggkind != AGGKIND_NORMAL || call->aggdistinct != NIL || call->aggorder != NIL || call->args == NIL)
    return nullptr;
  const bool counts = call->aggfnoid == kCountOfValues, sums_integers = call->aggfnoid == kSumOfInt4;
  const char* const form = bounded_form(call->aggfnoid);
  if (!counts && form == nullptr) return nullptr;
  Expr* const value = linitial_node(TargetEntry, call->args)->expr;
  if (Node* const condition = sums_integers ? counted_condition(value) : nullptr; condition != nullptr)
    return counting(filtered(call, condition));
  const OneArm arm = one_arm(value);
  if (arm.condition == nullptr) return nullptr;
  // A zero counts as a value for all but a sum.
  if (arm.else_zero && (form == nullptr || strcmp(form, "dp_sum") != 0)) return nullptr;
  const Const* const constant = constant_of(arm.value);
  if (constant != nullptr && constant->constisnull) return nullptr;
  Aggref* const made = filtered(call, arm.condition);
  if (counts && constant != nullptr) return counting(made);
  if (sums_integers && is_one(constant)) return counting(made);
  linitial_node(TargetEntry, made->args)->expr = static_cast<Expr*>(copyObjectImpl(arm.value));
  return made;
}

// `depth`: how many queries within the level the node stands.
Node* filter(Node* node, void* depth) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Query)) {
    int within = *static_cast<int*>(depth) + 1;
    return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), filter, &within, 0));
  }
  if (!IsA(node, Aggref) || static_cast<int>(castNode(Aggref, node)->agglevelsup) != *static_cast<int*>(depth))
    return pg::mutate(node, filter, depth);
  Aggref* const made = with_filter_of_case(castNode(Aggref, node));
  return made == nullptr ? static_cast<Node*>(copyObjectImpl(node)) : reinterpret_cast<Node*>(made);
}

}  // namespace

bool filter_by_cases(Query* level, List* aggregates) {
  bool any = false;
  ListCell* cell;
  foreach (cell, aggregates) any = any || with_filter_of_case(lfirst_node(Aggref, cell)) != nullptr;
  if (!any) return false;
  int depth = 0;
  level->targetList = reinterpret_cast<List*>(filter(reinterpret_cast<Node*>(level->targetList), &depth));
  level->havingQual = filter(level->havingQual, &depth);
  return true;
}

}  // namespace dp::guard
