#include "guard/base_table.h"

namespace dp::guard {
namespace {

BaseTable none(const char* obstacle, int location = -1) { return {nullptr, NIL, NIL, NIL, NIL, obstacle, location}; }

// What a subquery must not do, if it is to be no more than a choice of rows and columns.
const char* more_than_a_choice(const Query* query) {
  if (query->commandType != CMD_SELECT) return "a data-modifying statement";
  if (query->setOperations != nullptr) return "a set operation (UNION, INTERSECT, EXCEPT)";
  if (query->hasAggs || query->groupClause != NIL || query->groupingSets != NIL || query->havingQual != nullptr) {
    return "a grouped subquery";
  }
  if (query->distinctClause != NIL) return "a subquery with DISTINCT";
  if (query->limitCount != nullptr || query->limitOffset != nullptr) return "a subquery with LIMIT or OFFSET";
  if (query->hasWindowFuncs) return "a subquery with window functions";
  if (query->hasTargetSRFs) return "a subquery with a set-returning function";
  if (query->rowMarks != NIL) return "a subquery that locks rows";
  if (query->hasSubLinks) return "a subquery with subqueries of its own";
  return nullptr;
}

// The one range-table index that the level reads from, 0 where it is not one.
int single_from_item(const Query* level) {
  if (level->jointree == nullptr || list_length(level->jointree->fromlist) != 1) return 0;
  auto* const item = static_cast<Node*>(linitial(level->jointree->fromlist));
  return IsA(item, RangeTblRef) ? castNode(RangeTblRef, item)->rtindex : 0;
}

CommonTableExpr* find_cte(const RangeTblEntry* entry, List* levels, List** outer) {
  const int up = static_cast<int>(entry->ctelevelsup);
  if (entry->self_reference || up >= list_length(levels)) return nullptr;
  *outer = list_copy_tail(levels, up);
  ListCell* cell;
  foreach (cell, static_cast<Query*>(list_nth(levels, up))->cteList) {
    auto* const cte = static_cast<CommonTableExpr*>(lfirst(cell));
    if (strcmp(cte->ctename, entry->ctename) == 0) return cte;
  }
  return nullptr;
}

BaseTable through(Query* subquery, bool barrier, List* levels) {
  if (const char* const obstacle = more_than_a_choice(subquery)) return none(obstacle);
  BaseTable base = base_table(subquery, around(subquery, levels));
  if (base.table == nullptr) return base;
  const int index = single_from_item(subquery);
  auto* const entry = rt_fetch(index, subquery->rtable);
  const BaseTable below = base;
  if (subquery->jointree->quals != nullptr) {
    Node* const condition = over_base_table(subquery->jointree->quals, below, index, entry);
    base.conditions = lappend(list_copy(below.conditions), condition);
  }
  if (barrier && base.conditions != NIL) {
    base.barriers = lappend(list_copy(base.barriers), make_ands_explicit(base.conditions));
    base.conditions = NIL;
  }
  auto* const shown = reinterpret_cast<Node*>(subquery->targetList);
  base.columns = reinterpret_cast<List*>(over_base_table(shown, below, index, entry));
  // A view's own entries are not read from, but carry the permissions that its readers need.
  ListCell* cell;
  foreach (cell, subquery->rtable) {
    auto* const other = static_cast<RangeTblEntry*>(lfirst(cell));
    if (other != entry && other->rtekind == RTE_RELATION) base.passed = lappend(base.passed, other);
  }
  return base;
}

}  // namespace

BaseTable base_table(Query* level, List* levels) {
  const int index = single_from_item(level);
  if (index == 0) {
    const bool empty = level->jointree == nullptr || level->jointree->fromlist == NIL;
    return none(empty ? "no table" : "a join");
  }
  RangeTblEntry* const entry = rt_fetch(index, level->rtable);
  if (entry->tablesample != nullptr) return none("TABLESAMPLE");
  switch (entry->rtekind) {
    case RTE_RELATION:
      return {entry, NIL, NIL, NIL, NIL, nullptr, -1};
    case RTE_SUBQUERY:
      return through(entry->subquery, entry->security_barrier, levels);
    case RTE_CTE: {
      List* outer = NIL;
      CommonTableExpr* const cte = find_cte(entry, levels, &outer);
      if (cte == nullptr || cte->cterecursive) return none("a recursive query");
      return through(castNode(Query, cte->ctequery), false, outer);
    }
    case RTE_FUNCTION:
      return none("a function in FROM");
    default:
      return none("something that is not a table in FROM");
  }
}

void forget_from_item(Query* level, List* levels) {
  RangeTblEntry* const entry = rt_fetch(single_from_item(level), level->rtable);
  if (entry->rtekind == RTE_SUBQUERY) return forget_from_item(entry->subquery, around(entry->subquery, levels));
  if (entry->rtekind != RTE_CTE) return;
  List* outer = NIL;
  --find_cte(entry, levels, &outer)->cterefcount;
}

Node* over_base_table(Node* expression, const BaseTable& base, int index, RangeTblEntry* entry) {
  auto* const copy = static_cast<Node*>(copyObjectImpl(expression));
  if (base.columns == NIL) {
    ChangeVarNodes(copy, index, 1, 0);
    return copy;
  }
  return ReplaceVarsFromTargetList(copy, index, 0, entry, base.columns, REPLACEVARS_REPORT_ERROR, 0, nullptr);
}

}  // namespace dp::guard
