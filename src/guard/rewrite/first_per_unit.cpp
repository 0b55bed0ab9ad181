#include "guard/rewrite/first_per_unit.h"

#include "guard/relations/lateral.h"
#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"

namespace dp::guard {
namespace {

bool finds_rows_beside(const Query* level, bool asks) {
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->lateral && entry->rtekind == RTE_SUBQUERY && entry->subquery->limitCount != nullptr &&
        (asks || names_denied(entry->subquery) || names_denied(level)))
      return true;
  }
  return false;
}

}  // namespace

void join_first_per_unit(Query* query) {
  visit_levels(query, [](Query* level, bool asks) {
    if (finds_rows_beside(level, asks)) take_first_per_unit(level);
  });
}

}  // namespace dp::guard
