#include "guard/rewrite/same_rows.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/relations/nulls.h"
#include "guard/unit_limit/unit_aggregates.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// What a row must be to count: the filter, and values that must not be NULL and could be.
List* asked_of_row(const Aggref* call, const Sources& sources) {
  List* asked = list_make1(call->aggfilter);
  if (aggregate::name_of_vector(call->aggfnoid) != nullptr) return asked;  // it counts rows without a value, too
  ListCell* cell;
  foreach (cell, call->args) {
    auto* const value = reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr);
    if (foreach_current_index(cell) == values_of(call)) break;
    if (may_be_null_as_run(value, sources.tables, sources.tree)) asked = lappend(asked, value);
  }
  return asked;
}

}  // namespace

void find_same_rows(List* calls, const Sources& sources, InnerQuery* what) {
  List *different = NIL, *numbers = NIL;
  bool any = false;
  ListCell* cell;
  foreach (cell, calls) {
    const auto* const call = lfirst_node(Aggref, cell);
    if (call->aggdistinct != NIL || !aggregate::is_limited_by_rows(call)) {
      numbers = lappend_int(numbers, 0);
      continue;
    }
    List* const asked = asked_of_row(call, sources);
    int number = 1;
    ListCell* known;
    foreach (known, different) {
      if (equal(lfirst(known), asked)) break;
      ++number;
    }
    if (known == nullptr) different = lappend(different, asked);
    any = any || known != nullptr;
    numbers = lappend_int(numbers, number);
  }
  if (any) what->same_rows = numbers;
}

}  // namespace dp::guard
