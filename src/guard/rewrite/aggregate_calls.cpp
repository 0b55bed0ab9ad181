#include "guard/rewrite/aggregate_calls.h"

#include "aggregate/call/find_aggregate.h"
#include "aggregate/call/prepare_plan.h"
#include "guard/admission/refusal.h"
#include "guard/rewrite/error_calls.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Of the level itself the node as it stands there; of a subquery a copy.
Node* seen_by_level(Node* node, int depth) { return depth == 0 ? node : seen_from(node, depth); }

void note_ordinary(Aggref* call, LevelAggregates* found) {
  found->ordinary = list_append_unique(found->ordinary, seen_by_level(reinterpret_cast<Node*>(call), found->depth));
  ListCell* cell;
  foreach (cell, call->args) {
    const Node* const value = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    found->of_values = true;
    found->of_computed_values = found->of_computed_values || !(IsA(value, Var) || IsA(value, Const));
  }
}

bool collect(Node* node, void* context) {
  if (node == nullptr) return false;
  auto* const found = static_cast<LevelAggregates*>(context);
  if (IsA(node, Query)) {
    ++found->depth;
    pg::walk_query(castNode(Query, node), collect, context, 0);
    --found->depth;
    return false;
  }
  if (is_error_call(node)) {
    const Aggref* const answer = asked_error(castNode(FuncExpr, node)).aggregate;
    if (answer != nullptr && static_cast<int>(answer->agglevelsup) == found->depth)
      found->errors = list_append_unique(found->errors, seen_by_level(node, found->depth));
  }
  if (IsA(node, Aggref) && static_cast<int>(castNode(Aggref, node)->agglevelsup) == found->depth) {
    auto* const aggref = castNode(Aggref, node);
    if (aggregate::is_private_aggregate(aggref->aggfnoid)) {
      found->ours = list_append_unique(found->ours, seen_by_level(node, found->depth));
    } else {
      note_ordinary(aggref, found);
    }
    return false;
  }
  if (IsA(node, GroupingFunc) && static_cast<int>(castNode(GroupingFunc, node)->agglevelsup) == found->depth) {
    found->groupings = list_append_unique(found->groupings, seen_by_level(node, found->depth));
    return false;
  }
  return pg::walk(node, collect, context);
}

}  // namespace

void note_aggregates(Node* expression, int depth, LevelAggregates* found) {
  found->depth = depth;
  collect(expression, found);
}

LevelAggregates aggregates_of(Query* level) {
  LevelAggregates found;
  note_aggregates(reinterpret_cast<Node*>(level->targetList), 0, &found);
  note_aggregates(level->havingQual, 0, &found);
  return found;
}

bool has_incomplete(const LevelAggregates& found) {
  ListCell* cell;
  foreach (cell, found.ours) {
    const auto* const call = lfirst_node(Aggref, cell);
    const bool count_alone = aggregate::is_count(call->aggfnoid) && list_length(call->args) < 2;
    if (count_alone || aggregate::is_incomplete(call->aggfnoid)) return true;
  }
  return false;
}

namespace {

struct Visit {
  void (*visit)(Query* level, bool asks);
  bool asks;
};

bool visit_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, visit_below, context);
  auto* const query = castNode(Query, node);
  Visit within = *static_cast<const Visit*>(context);
  within.asks = within.asks || (query->hasAggs && aggregates_of(query).ours != NIL);
  pg::walk_query(query, visit_below, &within, 0);
  within.visit(query, within.asks);
  return false;
}

}  // namespace

void visit_levels(Query* statement, void (*visit)(Query* level, bool asks)) {
  Visit outermost{visit, false};
  visit_below(reinterpret_cast<Node*>(statement), &outermost);
}

void refuse_ordinary(const Aggref* aggregate) {
  DP_REFUSE(
      aggregate->location,
      errmsg("aggregate %s stands beside a private one on a protected table", get_func_name(aggregate->aggfnoid)),
      errhint("Use private aggregates throughout, for example dp_count('*', %s) for count(*).", example_epsilon()));
}

Node* seen_from(Node* node, int depth) {
  auto* const copy = static_cast<Node*>(copyObjectImpl(node));
  come_nearer_by(copy, depth);
  return copy;
}

}  // namespace dp::guard
