#include "guard/tables/sql_functions.h"

#include "budget/catalog/extension_catalog.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool inline_below(Node* node, void* context);

// The same as the planner will do (preprocess_function_rtes).
void inline_entry(RangeTblEntry* entry, PlannerInfo* root) {
  entry->functions = castNode(List, eval_const_expressions(root, reinterpret_cast<Node*>(entry->functions)));
  Query* const body = inline_set_returning_function(root, entry);
  if (body == nullptr) return;
  inline_below(reinterpret_cast<Node*>(body), root->glob);
  entry->rtekind = RTE_SUBQUERY;
  // Writing and reading it back, as views' rules are, drops its text positions: error messages would take them for
  // positions in the calling statement.
  entry->subquery = static_cast<Query*>(stringToNode(nodeToString(body)));
  entry->security_barrier = false;
  entry->functions = NIL;
  entry->funcordinality = false;
}

bool inline_below(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, inline_below, context);
  auto* const query = castNode(Query, node);
  auto* const root = makeNode(PlannerInfo);
  root->glob = static_cast<PlannerGlobal*>(context);
  root->parse = query;
  root->query_level = 1;
  root->planner_cxt = CurrentMemoryContext;
  ListCell* cell;
  foreach (cell, query->rtable) {
    auto* const entry = static_cast<RangeTblEntry*>(lfirst(cell));
    if (entry->rtekind == RTE_FUNCTION) inline_entry(entry, root);
  }
  return pg::walk_query(query, inline_below, context, 0);
}

}  // namespace

void inline_functions(Query* query, PlannerGlobal* global) {
  if (budget::tables() == nullptr) return;
  inline_below(reinterpret_cast<Node*>(query), global);
}

}  // namespace dp::guard
