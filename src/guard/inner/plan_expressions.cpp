#include "guard/inner/plan_expressions.h"

#include "guard/admission/objects.h"
#include "guard/admission/refusal.h"
#include "guard/admission/total_aggregates.h"
#include "guard/admission/values.h"
#include "guard/inner/whole_expressions.h"
#include "pg/execution.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Each check below returns the name of what is not admitted, or nullptr.

const char* function_found(Oid function) { return psprintf("function %s", format_procedure(function)); }

bool is_total_here(Oid function, List* arguments, Oid collation, const PlannedExpressions& context) {
  if (judge_call_with(context.values, function, arguments, collation).obstacle == nullptr) return true;
  if (context.node == nullptr) return false;
  List* const whole = with_columns_of_below(arguments, context.node);
  return judge_call_with(context.values, function, whole, collation).obstacle == nullptr;
}

// Our own functions that only the guard may put into an inner query are admitted in the calls that it makes, and
// nowhere else.
const char* in_call(Oid function, List* arguments, Oid collation, const PlannedExpressions& context) {
  if (is_total_here(function, arguments, collation, context)) return nullptr;
  const bool ours = function >= FirstNormalObjectId && is_pinned_or_ours(ProcedureRelationId, function);
  return ours ? nullptr : function_found(function);
}

const char* in_operator(Oid op) {
  return is_admitted_operator(op) ? nullptr : psprintf("operator %s", format_operator(op));
}

const char* in_operator(Oid op, Oid function, List* arguments, Oid collation, const PlannedExpressions& context) {
  if (const char* const found = in_operator(op)) return found;
  return in_call(OidIsValid(function) ? function : get_opcode(op), arguments, collation, context);
}

const char* in_array_operator(const ScalarArrayOpExpr* op, const PlannedExpressions& context) {
  if (const char* const found = in_operator(op->opno, op->opfuncid, op->args, op->inputcollid, context)) return found;
  if (OidIsValid(op->hashfuncid) && !is_ordering_support(op->hashfuncid)) return function_found(op->hashfuncid);
  return OidIsValid(op->negfuncid) ? in_call(op->negfuncid, op->args, op->inputcollid, context) : nullptr;
}

const char* in_sorting(List* clauses) {
  ListCell* cell;
  foreach (cell, clauses) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    for (const Oid op : {clause->eqop, clause->sortop}) {
      const char* const found = OidIsValid(op) ? in_operator(op) : nullptr;
      if (found != nullptr) return found;
    }
  }
  return nullptr;
}

const char* in_aggregate(const Aggref* aggregate) {
  const Oid function = aggregate->aggfnoid;
  const bool ours = function >= FirstNormalObjectId && is_pinned_or_ours(ProcedureRelationId, function);
  if (!ours && !is_total_aggregate(function)) return function_found(function);
  const char* const found = in_sorting(aggregate->aggdistinct);
  return found != nullptr ? found : in_sorting(aggregate->aggorder);
}

const char* in_extremum(const MinMaxExpr* extremum) {
  if (judge_order(extremum->minmaxtype).obstacle == nullptr) return nullptr;
  return function_found(lookup_type_cache(extremum->minmaxtype, TYPECACHE_CMP_PROC)->cmp_proc);
}

const char* in_column(const Var* column) {
  if (column->varattno > 0 || column->varattno == TableOidAttributeNumber) return nullptr;
  return column->varattno == 0 ? "a whole row" : "a system column";
}

// Of an expression: it has a type and a collation.
const char* in_objects(Node* node, const PlannedExpressions& context) {
  const Oid type = exprType(node);
  if (!is_admitted_type(type, context.declared)) return psprintf("type %s", format_type_be(type));
  for (const Oid collation : {exprCollation(node), exprInputCollation(node)}) {
    if (!is_admitted_collation(collation, context.declared)) return psprintf("collation %u", collation);
  }
  return nullptr;
}

const char* in_node(Node* node, const PlannedExpressions& context) {
  switch (kind_of_node(node).judged) {
    case Judged::as_operation: {
      const auto* const op = reinterpret_cast<OpExpr*>(node);
      return in_operator(op->opno, op->opfuncid, op->args, op->inputcollid, context);
    }
    case Judged::as_operation_on_elements:
      return in_array_operator(castNode(ScalarArrayOpExpr, node), context);
    case Judged::as_call:
      return in_call(castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args, exprInputCollation(node),
                     context);
    case Judged::as_element:
      return is_total_part(castNode(SubscriptingRef, node)) ? nullptr : "an element of a container";
    case Judged::as_field:
      return IsA(castNode(FieldSelect, node)->arg, Var) ? nullptr : "a part of a value that is no column";
    case Judged::as_extremum:
      return in_extremum(castNode(MinMaxExpr, node));
    case Judged::as_column:
      return in_column(castNode(Var, node));
    case Judged::as_aggregate:
      return in_aggregate(castNode(Aggref, node));
    case Judged::as_given:
    case Judged::by_its_parts:
    case Judged::as_collated:
    case Judged::as_cast_by_text:
    case Judged::by_its_type:
    case Judged::as_array:
    case Judged::as_plan:
      return nullptr;
    case Judged::never:
    case Judged::in_its_parts:
    case Judged::as_order:
      break;
  }
  return psprintf("an expression of kind %d", static_cast<int>(nodeTag(node)));
}

// What lets a window stop early, beside the calls that it watches: it has an operator and no type.
bool is_run_condition(Node* node) { return OidIsValid(pg::operator_of_run_condition(node)); }

struct Search {
  const PlannedExpressions* context;
  const char* found;
};

bool search(Node* node, void* opaque) {
  if (node == nullptr) return false;
  const Judged judged = kind_of_node(node).judged;
  if (judged == Judged::as_order) return false;
  auto* const state = static_cast<Search*>(opaque);
  if (is_run_condition(node)) {
    state->found = in_operator(pg::operator_of_run_condition(node));
    if (state->found != nullptr) return true;
  } else if (judged != Judged::in_its_parts) {
    state->found = in_node(node, *state->context);
    if (state->found == nullptr) state->found = in_objects(node, *state->context);
    if (state->found != nullptr) return true;
  }
  return pg::walk(node, search, opaque);
}

}  // namespace

const char* find_unadmitted(Node* expression, const PlannedExpressions& context) {
  Search state{&context, nullptr};
  search(expression, &state);
  return state.found;
}

void check_planned(Node* expression, const PlannedExpressions& context) {
  if (const char* const found = find_unadmitted(expression, context)) refuse_planned(found);
}

void refuse_planned(const char* what) {
  ereport(
      ERROR,
      (errcode(pg::kNotAdmissible), errmsg("the plan of a private query holds %s, which was not admitted", what),
       errhint("Ask in another way: with comparisons and functions of PostgreSQL's own. If that fails as well, tell a "
               "curator.")));
  pg_unreachable();
}

}  // namespace dp::guard
