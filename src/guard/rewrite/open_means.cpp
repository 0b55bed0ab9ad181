#include "guard/rewrite/open_means.h"

#include "guard/functions/aggregates.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/relations/nulls.h"
#include "guard/rewrite/counted_parts.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/exclusive_arms.h"
#include "guard/rewrite/known_aggregates.h"

namespace dp::guard {
namespace {

bool counts_values(const Aggref* call) { return call->aggfnoid == kCountOfValues; }
bool counts_rows(const Aggref* call) { return call->aggfnoid == kCountOfRows; }

bool is_average(const Aggref* call) {
  const char* const form = bounded_form(call->aggfnoid);
  return form != nullptr && strcmp(form, "dp_avg") == 0;
}

bool is_plain(const Aggref* call) {
  return call->aggdistinct == NIL && call->aggorder == NIL && call->aggkind == AGGKIND_NORMAL;
}

Expr* value_of(const Aggref* call) { return linitial_node(TargetEntry, call->args)->expr; }

Node* node(const void* any) { return static_cast<Node*>(copyObjectImpl(any)); }

Node* squared(Node* number) { return operation("*", number, node(number)); }

Node* root(Node* number) { return reinterpret_cast<Node*>(called(kSqrt, list_make1(number))); }

bool asks_for_rows(List* ordinary, const Expr* filter) {
  ListCell* cell;
  foreach (cell, ordinary) {
    const auto* const call = lfirst_node(Aggref, cell);
    if (counts_rows(call) && is_plain(call) && equal(call->aggfilter, filter)) return true;
  }
  return false;
}

// The same call about another aggregate.
Node* error_of(const FuncExpr* error, const Aggref* aggregate) {
  auto* const made = castNode(FuncExpr, node(error));
  linitial(made->args) = node(aggregate);
  return reinterpret_cast<Node*>(made);
}

}  // namespace

List* averages_of(List* ordinary, const Aggref* call) {
  if (!is_plain(call) || !(is_average(call) || is_sum(call->aggfnoid) || counts_values(call) || counts_rows(call)))
    return NIL;
  List* found = NIL;
  ListCell* cell;
  foreach (cell, ordinary) {
    auto* const average = lfirst_node(Aggref, cell);
    if (is_average(average) && is_plain(average) && equal(average->aggfilter, call->aggfilter) &&
        (counts_rows(call) || equal(value_of(average), value_of(call))))
      found = lappend(found, average);
  }
  return found;
}

OpenMean OpenMeans::made(const Aggref* average, List* ends) const {
  const AnswerDefaults half = half_of(defaults_);
  const Oid type = number_type(exprType(reinterpret_cast<Node*>(value_of(average))));
  Expr* const value = cast_value(value_of(average), type);
  OpenMean mean{average, private_call(average, "dp_sum", value, type, ends, half),
                private_call(average, "dp_count", value_of(average), ANYOID, NIL, half), NIL};
  if (!asks_for_rows(ordinary_, average->aggfilter)) return mean;
  const auto over = [this](const void* any) { return sources_.over_tables(node(any), "an aggregate"); };
  Node* const known = with_null_test(average->aggfilter, value_of(average), IS_NOT_NULL);
  if (!may_be_null_as_run(over(value_of(average)), sources_.tables, sources_.tree)) {
    mean.rows = list_make1(mean.count);
  } else if (is_for_vectors(defaults_) && !checkExprHasSubLink(known) && joins_family(over(known), NIL)) {
    mean.count = private_count_of_rows(rows_where(average, known), half);
    Node* const missing = with_null_test(average->aggfilter, value_of(average), IS_NULL);
    mean.rows = list_make2(mean.count, private_count_of_rows(rows_where(average, missing), half));
  }
  return mean;
}

OpenMean* OpenMeans::of_average(const Aggref* average) {
  ListCell* cell;
  foreach (cell, means_)
    if (auto* const known = static_cast<OpenMean*>(lfirst(cell)); known->average == average) return known;
  auto* const mean = new (palloc(sizeof(OpenMean))) OpenMean{average, nullptr, nullptr, NIL};
  means_ = lappend(means_, mean);
  const auto over = [this](const void* any) {
    return any == nullptr ? nullptr : sources_.over_tables(node(any), "an aggregate");
  };
  ValueBounds found;
  if (bounds_->ends(over(value_of(average)), over(average->aggfilter), &found) == NIL)
    *mean = made(average, bounds_->open_ends(over(value_of(average)), over(average->aggfilter), found, kLimited));
  return mean;
}

const OpenMean* OpenMeans::of(const Aggref* call) {
  ListCell* cell;
  foreach (cell, averages_of(ordinary_, call)) {
    const auto* const average = lfirst_node(Aggref, cell);
    if (!OidIsValid(value_type("dp_avg", value_of(average)))) continue;
    const OpenMean* const mean = of_average(average);
    if (mean->sum != nullptr && (mean->rows != NIL || !counts_rows(call))) return mean;
  }
  return nullptr;
}

Node* open_answer(const OpenMean& mean, const Aggref* call) {
  if (counts_rows(call)) return sum_of_counts(mean.rows);
  if (counts_values(call)) return possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0);
  Node* const sum = node(mean.sum);
  if (is_sum(call->aggfnoid)) return in_type(sum, call->aggtype);
  // Of no values there is no average: division by an answer of 0 gives NULL (answer_quotients.h).
  Node* const dividend = exprType(sum) == INT8OID ? coerced(sum, NUMERICOID) : sum;
  Node* const count = possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0);
  return in_type(operation("/", dividend, count), call->aggtype);
}

Node* open_error(const OpenMean& mean, FuncExpr* error, const Aggref* call) {
  if (counts_rows(call)) return error_of_counts(error, mean.rows);
  if (!is_average(call)) return error_of(error, counts_values(call) ? mean.count : mean.sum);
  if (asks_bias(error)) return reinterpret_cast<Node*>(makeNullConst(FLOAT8OID, -1, InvalidOid));
  Node* const average = coerced(open_answer(mean, call), FLOAT8OID);
  Node* const count = coerced(possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0), FLOAT8OID);
  Node* const of_count = operation("*", error_of(error, mean.count), average);
  return operation("/", root(operation("+", squared(error_of(error, mean.sum)), squared(of_count))), count);
}

}  // namespace dp::guard
