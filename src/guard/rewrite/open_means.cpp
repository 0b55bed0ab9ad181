#include "guard/rewrite/open_means.h"

#include "guard/functions/aggregates.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/known_aggregates.h"

namespace dp::guard {
namespace {

bool counts_values(const Aggref* call) { return call->aggfnoid == kCountOfValues; }

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

// The same call about another aggregate.
Node* error_of(const FuncExpr* error, const Aggref* aggregate) {
  auto* const made = castNode(FuncExpr, node(error));
  linitial(made->args) = node(aggregate);
  return reinterpret_cast<Node*>(made);
}

}  // namespace

const Aggref* average_of(List* ordinary, const Aggref* call) {
  if (!is_plain(call) || !(is_average(call) || is_sum(call->aggfnoid) || counts_values(call))) return nullptr;
  ListCell* cell;
  foreach (cell, ordinary) {
    const auto* const average = lfirst_node(Aggref, cell);
    if (is_average(average) && is_plain(average) && equal(value_of(average), value_of(call)) &&
        equal(average->aggfilter, call->aggfilter))
      return average;
  }
  return nullptr;
}

OpenMean make_open_mean(const Aggref* average, List* ends, const AnswerDefaults& defaults) {
  const AnswerDefaults half = half_of(defaults);
  const Oid type = number_type(exprType(reinterpret_cast<Node*>(value_of(average))));
  Expr* const value = cast_value(value_of(average), type);
  return {average, private_call(average, "dp_sum", value, type, ends, half),
          private_call(average, "dp_count", value_of(average), ANYOID, NIL, half)};
}

Node* open_answer(const OpenMean& mean, const Aggref* call) {
  if (counts_values(call)) return possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0);
  Node* const sum = node(mean.sum);
  if (is_sum(call->aggfnoid)) return in_type(sum, call->aggtype);
  // Of no values there is no average: division by an answer of 0 gives NULL (answer_quotients.h).
  Node* const dividend = exprType(sum) == INT8OID ? coerced(sum, NUMERICOID) : sum;
  Node* const count = possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0);
  return in_type(operation("/", dividend, count), call->aggtype);
}

Node* open_error(const OpenMean& mean, FuncExpr* error, const Aggref* call) {
  if (!is_average(call)) return error_of(error, counts_values(call) ? mean.count : mean.sum);
  if (asks_bias(error)) return reinterpret_cast<Node*>(makeNullConst(FLOAT8OID, -1, InvalidOid));
  Node* const average = coerced(open_answer(mean, call), FLOAT8OID);
  Node* const count = coerced(possible_count(static_cast<Aggref*>(copyObjectImpl(mean.count)), 0), FLOAT8OID);
  Node* const of_count = operation("*", error_of(error, mean.count), average);
  return operation("/", root(operation("+", squared(error_of(error, mean.sum)), squared(of_count))), count);
}

}  // namespace dp::guard
