#include "guard/rewrite/first_of_people.h"

#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tables/lateral.h"
#include "pg/walk.h"

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

// `context`: whether private aggregates stand around the node.
bool join_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, join_below, context);
  auto* const query = castNode(Query, node);
  bool asks = *static_cast<const bool*>(context) || (query->hasAggs && aggregates_of(query).ours != NIL);
  pg::walk_query(query, join_below, &asks, 0);
  if (finds_rows_beside(query, asks)) take_first_of_people(query);
  return false;
}

}  // namespace

void join_first_of_people(Query* query) {
  bool asks = false;
  join_below(reinterpret_cast<Node*>(query), &asks);
}

}  // namespace dp::guard
