#include "guard/unit_limit/divided_arms.h"

#include <utility>

#include "guard/unit_limit/private_counts.h"
#include "guard/unit_limit/unit_aggregates.h"

namespace dp::guard {

void DividedArms::take_from(InnerQuery* what) {
  what_ = what;
  families_ = std::exchange(what->families, NIL);
}

bool DividedArms::divide(int number) {
  const int family = families_ == NIL ? 0 : list_nth_int(families_, number);
  if (family == 0) return false;
  ListCell *known, *arm;
  forboth(known, what_->families, arm, what_->arms) {
    if (lfirst_int(known) == family && lfirst_int(arm) == list_nth_int(what_->arms, number)) return false;
  }
  if (what_->families == NIL) {
    for (int i = 0; i < list_length(families_); ++i) what_->families = lappend_int(what_->families, 0);
  }
  lfirst_int(list_nth_cell(what_->families, number)) = family;
  return true;
}

void DividedArms::divide_counts(const Query* query) {
  visit_private(query, what_->count_column, [this](const Aggref* aggregate, int number) {
    if (counts_by_condition(aggregate)) divide(number);
  });
}

Aggref* DividedArms::rows_up_to(int number, const Aggref* count) {
  const int family = list_nth_int(families_, number);
  while (list_length(counted_) < family) counted_ = lappend(counted_, NIL);
  ListCell* const arms = list_nth_cell(counted_, family - 1);
  auto* condition = reinterpret_cast<Node*>(count->aggfilter);
  if (Node* const value = counted_value(count); value != nullptr && !IsA(value, Const)) {
    auto* const known = makeNode(NullTest);
    known->arg = reinterpret_cast<Expr*>(value);
    known->nulltesttype = IS_NOT_NULL;
    known->location = -1;
    condition = reinterpret_cast<Node*>(makeBoolExpr(AND_EXPR, list_make2(condition, known), -1));
  }
  lfirst(arms) = lappend(static_cast<List*>(lfirst(arms)), condition);
  return count_where(nullptr, make_orclause(list_copy(static_cast<List*>(lfirst(arms)))));
}

}  // namespace dp::guard
