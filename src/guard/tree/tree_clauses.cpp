#include "guard/tree/tree_check.h"

namespace dp::guard {

// Statements that write number their entries as the columns that they write.
bool TreeCheck::target_list(const TreeLevel& level) {
  if (level.query->commandType != CMD_SELECT) return false;
  ListCell* cell;
  foreach (cell, level.query->targetList) {
    const int number = foreach_current_index(cell) + 1;
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (entry->resno != number) return wrong("target entry %d in place %d", entry->resno, number);
    if (entry->expr == nullptr) return wrong("target entry %d without expression", number);
  }
  return false;
}

bool TreeCheck::refer(const List* clauses, const Bitmapset* references, const char* what) {
  ListCell* cell;
  foreach (cell, clauses) {
    const Index reference = lfirst_node(SortGroupClause, cell)->tleSortGroupRef;
    if (!bms_is_member(static_cast<int>(reference), references))
      return wrong("%s of reference %u, which no target entry has", what, reference);
  }
  return false;
}

bool TreeCheck::clauses(const TreeLevel& level) {
  const Query* const query = level.query;
  if (query->groupClause == NIL && query->distinctClause == NIL && query->sortClause == NIL &&
      query->windowClause == NIL && query->rowMarks == NIL && query->groupingSets == NIL)
    return false;
  Bitmapset* references = nullptr;
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto reference = static_cast<int>(lfirst_node(TargetEntry, cell)->ressortgroupref);
    if (reference == 0) continue;
    if (bms_is_member(reference, references)) return wrong("two target entries with reference %d", reference);
    references = bms_add_member(references, reference);
  }
  if (refer(query->groupClause, references, "GROUP BY") || refer(query->distinctClause, references, "DISTINCT") ||
      refer(query->sortClause, references, "ORDER BY"))
    return true;
  foreach (cell, query->windowClause) {
    const auto* const window = lfirst_node(WindowClause, cell);
    if (refer(window->partitionClause, references, "PARTITION BY") ||
        refer(window->orderClause, references, "ORDER BY of a window"))
      return true;
  }
  foreach (cell, query->rowMarks) {
    const Index marked = lfirst_node(RowMarkClause, cell)->rti;
    if (marked < 1 || marked > static_cast<Index>(list_length(query->rtable)))
      return wrong("FOR UPDATE of entry %u of %d", marked, list_length(query->rtable));
  }
  bms_free(references);
  return false;
}

}  // namespace dp::guard
