#include "guard/unit_limit/divided_arms.h"

#include <utility>

#include "aggregate/call/prepare_plan.h"
#include "guard/unit_limit/private_counts.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// Aggregates of one family as it was found, one of each arm.
struct Alike {
  int family;
  const Aggref* first;
  List* arms;     // int
  List* numbers;  // int
};

bool limit_the_same(const Aggref* one, const Aggref* other) {
  return one->aggfnoid == other->aggfnoid && (one->aggdistinct == NIL) == (other->aggdistinct == NIL) &&
         equal(list_copy_tail(one->args, values_of(one)), list_copy_tail(other->args, values_of(other)));
}

}  // namespace

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

void DividedArms::limit_together(const Query* query) {
  divide_alike(query);
  count_same_rows();
}

void DividedArms::divide_alike(const Query* query) {
  if (families_ == NIL) return;
  List* found = NIL;
  visit_private(query, what_->count_column, [&](const Aggref* aggregate, int number) {
    const int family = list_nth_int(families_, number), arm = list_nth_int(what_->arms, number);
    if (family == 0 || aggregate::keeps_rows(aggregate)) return;
    ListCell* cell;
    foreach (cell, found) {
      auto& one = *static_cast<Alike*>(lfirst(cell));
      if (one.family != family || list_member_int(one.arms, arm) || !limit_the_same(one.first, aggregate)) continue;
      one.arms = lappend_int(one.arms, arm);
      one.numbers = lappend_int(one.numbers, number);
      return;
    }
    found = lappend(found,
                    new (palloc(sizeof(Alike))) Alike{family, aggregate, list_make1_int(arm), list_make1_int(number)});
  });
  List* families = NIL;
  for (int i = 0; i < list_length(families_); ++i) families = lappend_int(families, 0);
  ListCell *cell, *number;
  int several = 0;
  foreach (cell, found) {
    const auto& one = *static_cast<const Alike*>(lfirst(cell));
    if (list_length(one.arms) < 2) continue;
    ++several;
    foreach (number, one.numbers) lfirst_int(list_nth_cell(families, lfirst_int(number))) = several;
  }
  if (several > 0) what_->families = families;
}

void DividedArms::count_same_rows() {
  if (what_->same_rows == NIL) return;
  const auto family_of = [this](int i) { return what_->families == NIL ? 0 : list_nth_int(what_->families, i); };
  const int size = list_length(what_->same_rows);
  List *rows = NIL, *numbers = NIL;  // of each aggregate List of int: those of its family
  for (int i = 0; i < size; ++i) {
    List* of_family = list_make1_int(list_nth_int(what_->same_rows, i));
    for (int k = 0; k < size && family_of(i) > 0; ++k)
      if (k != i && family_of(k) == family_of(i)) of_family = lappend_int(of_family, list_nth_int(what_->same_rows, k));
    list_sort(of_family, list_int_cmp);
    rows = lappend(rows, of_family);
  }
  for (int i = 0; i < size; ++i) {
    const auto* const own = static_cast<const List*>(list_nth(rows, i));
    int first = 0, several = 0;
    for (int k = size - 1; k >= 0 && !list_member_int(own, 0); --k) {
      if (!equal(list_nth(rows, k), own)) continue;
      first = k + 1;
      several += k != i && (family_of(k) == 0 || family_of(k) != family_of(i));
    }
    numbers = lappend_int(numbers, several > 0 ? first : 0);
  }
  what_->same_rows = numbers;
}

Aggref* DividedArms::rows_up_to(int number, const Aggref* count) {
  const int family = list_nth_int(families_, number);
  while (list_length(counted_) < family) counted_ = lappend(counted_, NIL);
  ListCell* const arms = list_nth_cell(counted_, family - 1);
  auto* condition = reinterpret_cast<Node*>(count->aggfilter);
  if (Node* const value = counted_value(count); value != nullptr && !IsA(value, Const)) {
    Node* const known = pg::is_not_null(value);
    condition = reinterpret_cast<Node*>(makeBoolExpr(AND_EXPR, list_make2(condition, known), -1));
  }
  lfirst(arms) = lappend(static_cast<List*>(lfirst(arms)), condition);
  return count_where(nullptr, make_orclause(list_copy(static_cast<List*>(lfirst(arms)))));
}

}  // namespace dp::guard
