#include "guard/plan_expressions.h"

#include "guard/objects.h"
#include "guard/refusal.h"
#include "guard/values.h"

namespace dp::guard {
namespace {

[[noreturn]] void refuse_function(Oid function) { refuse_planned(psprintf("function %s", format_procedure(function))); }

// Functions of ours that are not total for everyone are called by what the guard puts into inner queries, and by nothing else.
void check_call(Oid function, List* arguments, const PlannedExpressions& context) {
  if (judge_call_with(context.values, function, arguments).obstacle == nullptr) return;
  if (function < FirstNormalObjectId || !is_pinned_or_ours(ProcedureRelationId, function)) refuse_function(function);
}

void check_operator(Oid op, Oid function, List* arguments, const PlannedExpressions& context) {
  if (!is_admitted_operator(op)) refuse_planned(psprintf("operator %s", format_operator(op)));
  check_call(OidIsValid(function) ? function : get_opcode(op), arguments, context);
}

void check_array_operator(const ScalarArrayOpExpr* op, const PlannedExpressions& context) {
  check_operator(op->opno, op->opfuncid, op->args, context);
  if (OidIsValid(op->hashfuncid) && !is_ordering_support(op->hashfuncid)) refuse_function(op->hashfuncid);
  if (OidIsValid(op->negfuncid)) check_call(op->negfuncid, op->args, context);
}

void check_sorting(List* clauses) {
  ListCell* cell;
  foreach (cell, clauses) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    for (const Oid op : {clause->eqop, clause->sortop}) {
      if (OidIsValid(op) && !is_admitted_operator(op)) refuse_planned(psprintf("operator %s", format_operator(op)));
    }
  }
}

void check_aggregate(const Aggref* aggregate) {
  if (!is_pinned_or_ours(ProcedureRelationId, aggregate->aggfnoid)) refuse_function(aggregate->aggfnoid);
  const bool counts = aggregate->aggfnoid == F_COUNT_ || aggregate->aggfnoid == F_COUNT_ANY;
  if (aggregate->aggfnoid < FirstNormalObjectId && !counts) refuse_function(aggregate->aggfnoid);
  check_sorting(aggregate->aggdistinct);
  check_sorting(aggregate->aggorder);
}

void check_window_function(const WindowFunc* call) {
  switch (call->winfnoid) {
    case F_ROW_NUMBER:
    case F_DENSE_RANK_:
    case F_MIN_INT8:
    case F_SUM_INT8:
      return;
    default:
      refuse_function(call->winfnoid);
  }
}

void check_extremum(const MinMaxExpr* extremum) {
  const Oid compares = lookup_type_cache(extremum->minmaxtype, TYPECACHE_CMP_PROC)->cmp_proc;
  if (!is_ordering_support(compares)) refuse_function(compares);
}

void check_column(const Var* column) {
  if (column->varattno > 0 || column->varattno == TableOidAttributeNumber) return;
  refuse_planned(column->varattno == 0 ? "a whole row" : "a system column");
}

// Of an expression: it has a type and a collation.
void check_objects(Node* node, const PlannedExpressions& context) {
  const Oid type = exprType(node);
  if (!is_admitted_type(type, context.declared)) refuse_planned(psprintf("type %s", format_type_be(type)));
  for (const Oid collation : {exprCollation(node), exprInputCollation(node)}) {
    if (!is_admitted_collation(collation, context.declared)) refuse_planned(psprintf("collation %u", collation));
  }
}

bool check(Node* node, void* opaque) {
  if (node == nullptr) return false;
  const auto& context = *static_cast<const PlannedExpressions*>(opaque);
  switch (nodeTag(node)) {
    case T_List:
    case T_TargetEntry:
    case T_CaseWhen:
      return expression_tree_walker(node, reinterpret_cast<bool (*)()>(check), opaque);
    case T_SortGroupClause:
      return false;
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr: {
      const auto* const op = reinterpret_cast<OpExpr*>(node);
      check_operator(op->opno, op->opfuncid, op->args, context);
      break;
    }
    case T_ScalarArrayOpExpr:
      check_array_operator(castNode(ScalarArrayOpExpr, node), context);
      break;
    case T_FuncExpr:
      check_call(castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args, context);
      break;
    case T_Aggref:
      check_aggregate(castNode(Aggref, node));
      break;
    case T_WindowFunc:
      check_window_function(castNode(WindowFunc, node));
      break;
    case T_MinMaxExpr:
      check_extremum(castNode(MinMaxExpr, node));
      break;
    case T_Var:
      check_column(castNode(Var, node));
      break;
    case T_Const:
    case T_Param:
    case T_SubPlan:
    case T_BoolExpr:
    case T_CaseExpr:
    case T_CaseTestExpr:
    case T_CoalesceExpr:
    case T_CoerceViaIO:
    case T_CollateExpr:
    case T_GroupingFunc:
    case T_NullTest:
    case T_BooleanTest:
    case T_RelabelType:
    case T_ArrayExpr:
      break;
    default:
      refuse_planned(psprintf("an expression of kind %d", static_cast<int>(nodeTag(node))));
  }
  check_objects(node, context);
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(check), opaque);
}

}  // namespace

void check_planned(Node* expression, const PlannedExpressions& context) {
  check(expression, const_cast<PlannedExpressions*>(&context));
}

void refuse_planned(const char* what) {
  ereport(ERROR, (errcode(pg::kNotAdmissible), errmsg("the plan of a private query holds %s, which was not admitted", what),
                  errhint("Ask in another way: with comparisons and functions of PostgreSQL's own. If that fails as well, tell a "
                          "curator.")));
  pg_unreachable();
}

}  // namespace dp::guard
