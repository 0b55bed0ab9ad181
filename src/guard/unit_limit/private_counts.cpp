#include "guard/unit_limit/private_counts.h"

#include "aggregate/call/prepare_plan.h"

namespace dp::guard {
namespace {

bool counts_rows(const Aggref* aggregate) {
  return aggregate->aggdistinct == NIL && aggregate::is_count(aggregate->aggfnoid);
}

}  // namespace

Node* counted_value(const Aggref* count) {
  return count->args == NIL ? nullptr : reinterpret_cast<Node*>(linitial_node(TargetEntry, count->args)->expr);
}

bool counts_by_condition(const Aggref* aggregate) {
  if (!counts_rows(aggregate)) return false;
  Node* const value = counted_value(aggregate);
  return aggregate->aggfilter != nullptr || (value != nullptr && !IsA(value, Const) && !IsA(value, Var));
}

bool counts_share(const Query* inner_query, int count_column) {
  const Aggref* first = nullptr;
  bool different = false, conditional = false;
  visit_private(inner_query, count_column, [&](const Aggref* aggregate, int) {
    if (!counts_rows(aggregate)) return;
    if (first == nullptr) first = aggregate;
    different = different || !equal(first->aggfilter, aggregate->aggfilter) ||
                !equal(counted_value(first), counted_value(aggregate));
    conditional = conditional || counts_by_condition(aggregate);
  });
  return different && conditional;
}

}  // namespace dp::guard
