#include "guard/rewrite/counted_parts.h"

#include <cmath>

#include "guard/functions/aggregates.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "guard/relations/nulls.h"
#include "guard/rewrite/error_calls.h"
#include "guard/rewrite/exclusive_arms.h"
#include "guard/rewrite/open_means.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

constexpr int kMostParts = 3;

// From this confidence on the error of a sum of noises is at most that of one of them times the root of their number,
// but for what the steps of whole numbers make of it.
constexpr double kLeastConfidence = 0.92;

bool counts_plainly(const Aggref* call) {
  return (call->aggfnoid == kCountOfRows || call->aggfnoid == kCountOfValues) && call->aggdistinct == NIL &&
         call->aggorder == NIL;
}

Node* node(const void* any) { return static_cast<Node*>(copyObjectImpl(any)); }

Node* value_of(const Aggref* call) { return reinterpret_cast<Node*>(linitial_node(TargetEntry, call->args)->expr); }

Node* null_test(Node* value, NullTestType type) { return pg::null_test(node(value), type); }

// The rows of which the condition is not true.
Node* otherwise(Node* condition) {
  if (IsA(condition, NullTest) && castNode(NullTest, condition)->nulltesttype == IS_NOT_NULL)
    return null_test(reinterpret_cast<Node*>(castNode(NullTest, condition)->arg), IS_NULL);
  auto* const test = makeNode(BooleanTest);
  test->arg = reinterpret_cast<Expr*>(node(condition));
  test->booltesttype = IS_NOT_TRUE;
  test->location = -1;
  return reinterpret_cast<Node*>(test);
}

Node* error_of(const FuncExpr* error, const Aggref* count, Node* confidence) {
  auto* const made = castNode(FuncExpr, node(error));
  linitial(made->args) = node(count);
  if (confidence != nullptr) made->args = list_make2(linitial(made->args), confidence);
  return reinterpret_cast<Node*>(made);
}

Node* chosen(MinMaxOp op, Node* one, Node* other) {
  auto* const made = makeNode(MinMaxExpr);
  made->minmaxtype = FLOAT8OID;
  made->op = op;
  made->args = list_make2(one, other);
  made->location = -1;
  return reinterpret_cast<Node*>(made);
}

Node* float8(double value) { return reinterpret_cast<Node*>(pg::float8_constant(value)); }

}  // namespace

Aggref* rows_where(const Aggref* call, Node* condition) {
  auto* const made = castNode(Aggref, node(call));
  made->aggfnoid = kCountOfRows;
  made->aggstar = true;
  made->args = made->aggargtypes = NIL;
  made->aggfilter = reinterpret_cast<Expr*>(condition);
  return made;
}

Node* with_null_test(Expr* filter, Expr* value, NullTestType type) {
  Node* const test = null_test(reinterpret_cast<Node*>(value), type);
  return filter == nullptr ? test : make_and_qual(node(filter), test);
}

CountedParts::CountedParts(List* ordinary, const Sources& sources, const SharedVectors& vectors) {
  ListCell* cell;
  foreach (cell, ordinary) {
    auto* const call = lfirst_node(Aggref, cell);
    if (call->aggfnoid == kCountOfRows && call->aggfilter == nullptr) whole_ = call;
  }
  if (whole_ == nullptr) return;
  List* conditions = NIL;  // over the tables
  foreach (cell, ordinary) {
    auto* const call = lfirst_node(Aggref, cell);
    if (!counts_plainly(call) || call == whole_ || vectors.of(call) != NIL || averages_of(ordinary, call) != NIL)
      continue;
    const bool values = call->aggfnoid == kCountOfValues;
    if (values && call->aggfilter != nullptr) continue;
    Node* const condition = values ? null_test(value_of(call), IS_NOT_NULL) : reinterpret_cast<Node*>(call->aggfilter);
    if (checkExprHasSubLink(condition)) continue;
    Node* const over = sources.over_tables(condition, "an aggregate");
    const bool all = values && !may_be_null_as_run(reinterpret_cast<Node*>(castNode(NullTest, over)->arg),
                                                   sources.tables, sources.tree);
    if (!all && !joins_family(over, conditions)) continue;
    Aggref* const rows = all ? whole_ : rows_where(call, condition);
    if (values) {
      values_ = lappend(values_, call);
      rows_ = lappend(rows_, rows);
    }
    if (all) continue;
    conditions = lappend(conditions, over);
    parts_ = list_append_unique(parts_, rows);
  }
  if (list_length(parts_) > kMostParts) parts_ = NIL;
  List* rest = NIL;
  foreach (cell, parts_) rest = lappend(rest, otherwise(reinterpret_cast<Node*>(lfirst_node(Aggref, cell)->aggfilter)));
  if (rest != NIL) rest_ = rows_where(whole_, reinterpret_cast<Node*>(make_ands_explicit(rest)));
}

const Aggref* CountedParts::as_rows(const Aggref* call) const {
  ListCell *value, *rows;
  forboth(value, values_, rows, rows_) {
    if (equal(lfirst(value), call)) return lfirst_node(Aggref, rows);
  }
  return call;
}

List* CountedParts::counts(const AnswerDefaults& defaults) const {
  List* counts = NIL;
  ListCell* cell;
  foreach (cell, lappend(list_copy(parts_), rest_))
    counts = lappend(counts, private_count_of_rows(lfirst_node(Aggref, cell), defaults));
  return counts;
}

Node* sum_of_counts(List* counts) {
  Node* sum = nullptr;
  ListCell* cell;
  foreach (cell, counts) sum = sum == nullptr ? node(lfirst(cell)) : operation("+", sum, node(lfirst(cell)));
  return possible_count(sum, 0);
}

Node* error_of_counts(const FuncExpr* error, List* counts) {
  const auto* const count = linitial_node(Aggref, counts);
  const double n = list_length(counts);
  if (list_length(counts) == 1) return error_of(error, count, nullptr);
  if (asks_bias(error)) {
    Node* sum = nullptr;
    ListCell* cell;
    foreach (cell, counts) {
      Node* const bias = error_of(error, lfirst_node(Aggref, cell), nullptr);
      sum = sum == nullptr ? bias : operation("+", sum, bias);
    }
    return sum;
  }
  // Each of n noises is within e(1 - (1 - c) / n) but for the nth part of the chances that c leaves.
  Node* const confidence = confidence_of_error(error);
  Node* const each = operation("-", float8(1), operation("/", operation("-", float8(1), node(confidence)), float8(n)));
  Node* const all = operation("*", error_of(error, count, each), float8(n));
  Node* const one = error_of(error, count, chosen(IS_GREATEST, node(confidence), float8(kLeastConfidence)));
  Node* const middle =
      operation("-", operation("*", operation("+", one, float8(0.5)), float8(std::sqrt(n))), float8(0.5));
  return chosen(IS_LEAST, all, reinterpret_cast<Node*>(called(kCeil, list_make1(middle))));
}

}  // namespace dp::guard
