#include "guard/rewrite/grouping_calls.h"

#include "guard/admission/refusal.h"

namespace dp::guard {

GroupingFunc* grouping_of_keys(List* group_clause, List* columns) {
  auto* const grouping = makeNode(GroupingFunc);
  ListCell *clause, *key;
  forboth(clause, group_clause, key, columns) {
    grouping->args = lappend(grouping->args, lfirst_node(TargetEntry, key)->expr);
    const Index reference = lfirst_node(SortGroupClause, clause)->tleSortGroupRef;
    grouping->refs = lappend_int(grouping->refs, static_cast<int>(reference));
  }
  grouping->location = -1;
  return grouping;
}

Node* over_running_keys(GroupingFunc* grouping, List* columns) {
  grouping->args = NIL;
  ListCell* cell;
  foreach (cell, grouping->refs) {
    const TargetEntry* const key = get_sortgroupref_tle(static_cast<Index>(lfirst_int(cell)), columns);
    grouping->args = lappend(grouping->args, copyObjectImpl(key->expr));
  }
  return reinterpret_cast<Node*>(grouping);
}

List* with_keys_of(List* numbers, const GroupingFunc* grouping, List* group_clause) {
  ListCell *reference, *clause;
  foreach (reference, grouping->refs) {
    foreach (clause, group_clause) {
      const auto number = static_cast<int>(lfirst_node(SortGroupClause, clause)->tleSortGroupRef);
      if (number == lfirst_int(reference)) numbers = lappend_int(numbers, foreach_current_index(clause));
    }
  }
  return numbers;
}

void require_few_keys(const List* keys) {
  if (list_length(keys) <= 31) return;
  DP_REFUSE(-1, errmsg("grouping sets of a private query must not have more than 31 keys"),
            errhint("Ask for each set by itself."));
}

}  // namespace dp::guard
