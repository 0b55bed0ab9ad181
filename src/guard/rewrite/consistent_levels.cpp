#include "guard/rewrite/consistent_levels.h"

#include "aggregate/call/prepare_plan.h"
#include "budget/catalog/extension_catalog.h"
#include "guard/functions/aggregates.h"
#include "guard/query/settings.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/functions_by_name.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// By this confidence answers are weighed, so that small noise has an error, too.
constexpr double kWide = 0.9999999;

// From this confidence on the errors of sums of noise are smaller than those of noise with the same variance.
constexpr double kLeastConfidence = 0.92;

Node* float8_constant(double value) { return reinterpret_cast<Node*>(pg::float8_constant(value)); }

Node* called(Oid function, Oid type, List* arguments) {
  return reinterpret_cast<Node*>(makeFuncExpr(function, type, arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

// Whether the groups of a level add up to those of a coarser one: how many rows, or the sum of a value over them.
bool adds_up(const Node* node) {
  if (!IsA(node, Aggref)) return false;
  const auto* const aggregate = reinterpret_cast<const Aggref*>(node);
  if (aggregate->agglevelsup > 0 || aggregate->aggdistinct != NIL || aggregate->aggdirectargs != NIL) return false;
  const Oid function = aggregate->aggfnoid;
  if (is_plain_count(function) || is_sum(function)) return true;
  if (!aggregate::is_private_aggregate(function)) return false;
  if (aggregate::is_count(function)) return true;
  const char* const name = get_func_name(function);
  return name != nullptr && strcmp(name, "dp_sum") == 0;
}

// ---- marks ----------------------------------------------------------------------------------------------------------

struct Marking {
  Oid answer, share;  // the functions that mark an answer, and what is left of its error
  Oid error;          // dp_error
  Oid fitted_error;
  bool any;
};

Node* copied(const void* node) { return static_cast<Node*>(copyObjectImpl(node)); }

Node* mark(const Marking& marking, Oid with, Oid type, const Node* answer) {
  Node* const wide = called(marking.error, FLOAT8OID, list_make2(copied(answer), float8_constant(kWide)));
  return called(with, type, list_make2(copied(answer), wide));
}

// At least that which the errors of sums need.
Node* at_least(Node* confidence) {
  if (IsA(confidence, Const) && !castNode(Const, confidence)->constisnull)
    return float8_constant(Max(DatumGetFloat8(castNode(Const, confidence)->constvalue), kLeastConfidence));
  auto* const most = makeNode(MinMaxExpr);
  most->minmaxtype = FLOAT8OID;
  most->op = IS_GREATEST;
  most->args = list_make2(confidence, float8_constant(kLeastConfidence));
  most->location = -1;
  return reinterpret_cast<Node*>(most);
}

Node* marked_error(const Marking& marking, const FuncExpr* call) {
  Node* const answer = answer_of_error(call);
  Node* const confidence = copied(confidence_of_error(call));
  Node* const error = called(marking.error, FLOAT8OID, list_make2(copied(answer), at_least(copied(confidence))));
  Node* const share = mark(marking, marking.share, FLOAT8OID, answer);
  Node* const whole = makeBoolConst(exprType(answer) == INT8OID, false);
  return called(marking.fitted_error, FLOAT8OID, list_make4(error, share, confidence, whole));
}

Node* mark_in(Node* node, void* context) {
  if (node == nullptr || IsA(node, Query)) return node;
  auto* const marking = static_cast<Marking*>(context);
  if (is_error_call(node)) {
    auto* const call = castNode(FuncExpr, node);
    if (asks_bias(call) || !adds_up(answer_of_error(call))) return node;
    marking->any = true;
    return marked_error(*marking, call);
  }
  if (adds_up(node)) {
    marking->any = true;
    return mark(*marking, marking->answer, exprType(node), node);
  }
  if (IsA(node, Aggref)) return node;
  return pg::mutate(node, mark_in, context);
}

bool has_several_sets(const Query* level) {
  return level->groupingSets != NIL &&
         list_length(expand_grouping_sets(level->groupingSets, level->groupDistinct, -1)) > 1;
}

// ---- the query between ----------------------------------------------------------------------------------------------

struct Fitting {
  Oid answer, share;  // the marks
  List* found;        // FuncExpr, different ones
  int columns;        // of the answers; behind these stand those that are found
};

bool is_mark(const Node* node, const Fitting& fitting) {
  if (!IsA(node, FuncExpr)) return false;
  const Oid function = reinterpret_cast<const FuncExpr*>(node)->funcid;
  return function == fitting.answer || function == fitting.share;
}

bool find_marks(Node* node, void* context) {
  if (node == nullptr || IsA(node, Query)) return false;
  auto* const fitting = static_cast<Fitting*>(context);
  if (!is_mark(node, *fitting)) return pg::walk(node, find_marks, context);
  fitting->found = list_append_unique(fitting->found, node);
  return false;
}

Node* replace_marks(Node* node, void* context) {
  if (node == nullptr || IsA(node, Query)) return node;
  const auto& fitting = *static_cast<const Fitting*>(context);
  if (!is_mark(node, fitting)) return pg::mutate(node, replace_marks, context);
  ListCell* cell;
  foreach (cell, fitting.found) {
    if (equal(lfirst(cell), node))
      return reinterpret_cast<Node*>(column_showing(1, fitting.columns + 1 + foreach_current_index(cell), node));
  }
  pg_unreachable();
}

// The noise of a count is not cut where it is one of several that add up.
Node* uncut(Node* answer) {
  if (!IsA(answer, MinMaxExpr)) return answer;
  const auto* const choice = castNode(MinMaxExpr, answer);
  const auto* const other = static_cast<Node*>(lsecond(choice->args));
  const bool at_zero = choice->op == IS_GREATEST && list_length(choice->args) == 2 && IsA(other, Const) &&
                       !reinterpret_cast<const Const*>(other)->constisnull && choice->minmaxtype == INT8OID &&
                       DatumGetInt64(reinterpret_cast<const Const*>(other)->constvalue) == 0;
  return at_zero ? static_cast<Node*>(linitial(choice->args)) : answer;
}

Node* column_at(const Query* query, int number) {
  return reinterpret_cast<Node*>(column_showing(1, number, target_numbered(query->targetList, number)->expr));
}

// function(answer, error, level, keys) OVER (), over the answers.
WindowFunc* over_all(Oid function, const FuncExpr* mark, const InnerQueryParts& inner_query) {
  auto* const call = makeNode(WindowFunc);
  call->winfnoid = function;
  call->wintype = mark->funcresulttype;
  call->args = list_make3(uncut(copied(linitial(mark->args))), copied(lsecond(mark->args)),
                          column_at(inner_query.query, inner_query.what.set_column));
  for (int key = 1; key <= list_length(inner_query.keys); ++key)
    call->args = lappend(call->args, column_at(inner_query.query, key));
  call->winref = 1;
  call->location = -1;
  return call;
}

Oid window_function(const char* name) {
  return budget::internal_function(name, {ANYELEMENTOID, FLOAT8OID, INT4OID, ANYOID});
}

}  // namespace

bool mark_to_fit(Query* level) {
  if (makes_consistent() == Consistent::no || !has_several_sets(level)) return false;
  const Oid error = pg::function_named("dp_error", [](const FormData_pg_proc& function, std::span<const Oid> types) {
    return types.size() == 2 && budget::is_of_extension(ProcedureRelationId, function.oid);
  });
  Marking marking{budget::internal_function("to_fit", {ANYELEMENTOID, FLOAT8OID}),
                  budget::internal_function("to_fit_share", {ANYELEMENTOID, FLOAT8OID}), error,
                  budget::internal_function("fitting_error", {FLOAT8OID, FLOAT8OID, FLOAT8OID, BOOLOID}), false};
  level->targetList = castNode(List, mark_in(reinterpret_cast<Node*>(level->targetList), &marking));
  level->havingQual = mark_in(level->havingQual, &marking);
  return marking.any;
}

const char* why_not_fitted(const InnerQuery& what) {
  if (what.count_column != 0) return "groups are chosen privately, and others count in the totals";
  if (what.chooses_limits() || what.open != NIL) return "each level has limits of its own";
  return nullptr;
}

char* fitted_text(const InnerQuery& what) {
  return psprintf("counts and sums of %d grouping sets add up%s", what.sets(),
                  makes_consistent() == Consistent::nonnegative ? ", none is negative" : "");
}

void fit_levels(Query* outer, const InnerQueryParts& inner_query) {
  Fitting fitting{budget::internal_function("to_fit", {ANYELEMENTOID, FLOAT8OID}),
                  budget::internal_function("to_fit_share", {ANYELEMENTOID, FLOAT8OID}), NIL,
                  list_length(inner_query.query->targetList)};
  find_marks(reinterpret_cast<Node*>(outer->targetList), &fitting);
  find_marks(outer->jointree->quals, &fitting);
  const Oid fits = window_function(makes_consistent() == Consistent::nonnegative ? "fitting_nonnegative" : "fitting");
  const Oid share = window_function("fitting_share");

  RangeTblEntry* const answers = entry_numbered(1, outer->rtable);
  Query* const between = pg::select_all_from(answers);
  ListCell* cell;
  foreach (cell, fitting.found) {
    const auto* const mark = lfirst_node(FuncExpr, cell);
    const auto number = static_cast<AttrNumber>(list_length(between->targetList) + 1);
    WindowFunc* const call = over_all(mark->funcid == fitting.answer ? fits : share, mark, inner_query);
    char* const name = psprintf("fitting%d", foreach_current_index(cell) + 1);
    between->targetList =
        lappend(between->targetList, makeTargetEntry(reinterpret_cast<Expr*>(call), number, name, false));
  }
  auto* const window = makeNode(WindowClause);
  window->winref = 1;
  window->frameOptions = FRAMEOPTION_DEFAULTS;
  between->windowClause = list_make1(window);
  between->hasWindowFuncs = true;
  linitial(outer->rtable) = entry_of_subquery(between, "fitting");
  outer->targetList = castNode(List, replace_marks(reinterpret_cast<Node*>(outer->targetList), &fitting));
  outer->jointree->quals = replace_marks(outer->jointree->quals, &fitting);
}

}  // namespace dp::guard
