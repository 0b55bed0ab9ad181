// The private aggregates of an inner query, and those of them that count rows by conditions.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Calls visit(aggregate, number) for the private aggregates of an inner query, numbered from 0 on. `count_column`: as
// InnerQuery has it.
template <class Visit>
void visit_private(const Query* inner_query, int count_column, Visit visit) {
  int number = 0;
  ListCell* cell;
  foreach (cell, inner_query->targetList) {
    auto* const entry = lfirst_node(TargetEntry, cell);
    if (IsA(entry->expr, Aggref) && entry->resno != count_column) visit(castNode(Aggref, entry->expr), number++);
  }
}

// What a dp_count counts; nullptr: rows.
Node* counted_value(const Aggref* count);

// count(*) FILTER (WHERE late), count(CASE WHEN late THEN 1 END)
bool counts_by_condition(const Aggref* aggregate);

// Whether a count by a condition stands beside another one: they are divided by each other, then, or added up. With the
// limit each for itself, a unit with more rows would count for as much in a part as in the whole.
bool counts_share(const Query* inner_query, int count_column);

}  // namespace dp::guard
