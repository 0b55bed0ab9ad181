#include "guard/rewrite/exclusive_arms.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

// More different filters are not compared with each other: their number would be squared.
constexpr int kMostFilters = 64;

// Of others' operators nothing is known, and what is not immutable may be true of a row for one aggregate and not for
// the next.
bool calls_others(Node* node, void*) {
  if (node == nullptr) return false;
  const auto is_others = [](Oid function, void*) { return function >= FirstGenbkiObjectId; };
  if (check_functions_in_node(node, is_others, nullptr)) return true;
  if (IsA(node, Param) || IsA(node, SubLink) || IsA(node, Query)) return true;
  return pg::walk(node, calls_others, nullptr);
}

bool can_be_compared(Node* filter) { return !calls_others(filter, nullptr) && !contain_mutable_functions(filter); }

// As the planner has a condition: constants computed, NOT pushed down, the members of its AND.
List* members(Node* filter) {
  Node* const folded = eval_const_expressions(nullptr, static_cast<Node*>(copyObjectImpl(filter)));
  return make_ands_implicit(reinterpret_cast<Expr*>(canonicalize_qual(reinterpret_cast<Expr*>(folded), false)));
}

Node* filter_of(void* call) { return reinterpret_cast<Node*>(castNode(Aggref, call)->aggfilter); }

struct Arm {
  Node* filter;
  List* members;
};

// Of a family: arms, each of which excludes all the others.
bool excludes_all(const Arm& arm, List* family) {
  ListCell* cell;
  foreach (cell, family) {
    const auto& other = *static_cast<const Arm*>(lfirst(cell));
    if (!predicate_refuted_by(arm.members, other.members, true) &&
        !predicate_refuted_by(other.members, arm.members, true))
      return false;
  }
  return true;
}

// The place (from 1) of the filter in the family; 0: it is no arm of it.
int place_in(List* family, Node* filter) {
  ListCell* cell;
  foreach (cell, family)
    if (equal(static_cast<const Arm*>(lfirst(cell))->filter, filter)) return foreach_current_index(cell) + 1;
  return 0;
}

List* families_of(const List* calls) {
  List *families = NIL, *seen = NIL;
  ListCell* cell;
  foreach (cell, calls) {
    Node* const filter = filter_of(lfirst(cell));
    if (filter == nullptr || list_member(seen, filter) || list_length(seen) == kMostFilters) continue;
    seen = lappend(seen, filter);
    if (!can_be_compared(filter)) continue;
    auto* const arm = new (palloc(sizeof(Arm))) Arm{filter, members(filter)};
    ListCell* family;
    foreach (family, families) {
      auto* const arms = static_cast<List*>(lfirst(family));
      if (!excludes_all(*arm, arms)) continue;
      lfirst(family) = lappend(arms, arm);
      break;
    }
    if (family == nullptr) families = lappend(families, list_make1(arm));
  }
  return families;
}

}  // namespace

void exclusive_arms(const List* calls, InnerQuery* what) {
  List* const families = families_of(calls);
  List *numbers = NIL, *places = NIL;
  bool any = false;
  ListCell* cell;
  foreach (cell, calls) {
    int number = 0, arm = 0;
    ListCell* family;
    foreach (family, families) {
      auto* const arms = static_cast<List*>(lfirst(family));
      arm = list_length(arms) < 2 ? 0 : place_in(arms, filter_of(lfirst(cell)));
      if (arm == 0) continue;
      number = foreach_current_index(family) + 1;
      break;
    }
    any = any || number > 0;
    numbers = lappend_int(numbers, number);
    places = lappend_int(places, arm);
  }
  if (!any) return;
  what->families = numbers;
  what->arms = places;
}

}  // namespace dp::guard
