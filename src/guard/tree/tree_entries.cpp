#include "guard/tree/tree_check.h"

namespace dp::guard {

// ---- FROM -----------------------------------------------------------------------------------------------------------

bool TreeCheck::read_all(TreeLevel* level) {
  const Query* const query = level->query;
  if (query->setOperations != nullptr && set_operation(query->setOperations, level)) return true;
  if (query->jointree == nullptr) return false;
  ListCell* cell;
  foreach (cell, query->jointree->fromlist) {
    Bitmapset* below = nullptr;
    if (from(static_cast<const Node*>(lfirst(cell)), level, &below)) return true;
    bms_free(below);
  }
  return false;
}

// Adds the entries below to those given.
bool TreeCheck::from(const Node* tree, TreeLevel* level, Bitmapset** below) {
  if (tree == nullptr) return wrong("nothing in FROM");
  if (IsA(tree, RangeTblRef)) {
    const int number = reinterpret_cast<const RangeTblRef*>(tree)->rtindex;
    if (read_entry(number, false, level)) return true;
    *below = bms_add_member(*below, number);
    return false;
  }
  if (IsA(tree, JoinExpr)) return joined(reinterpret_cast<const JoinExpr*>(tree), level, below);
  if (!IsA(tree, FromExpr)) return wrong("a node of kind %d in FROM", static_cast<int>(nodeTag(tree)));
  const auto* const several = reinterpret_cast<const FromExpr*>(tree);
  Bitmapset* within = nullptr;
  ListCell* cell;
  foreach (cell, several->fromlist) {
    if (from(static_cast<const Node*>(lfirst(cell)), level, &within)) return true;
  }
  *below = bms_add_members(*below, within);
  return condition(several->quals, level, within);
}

bool TreeCheck::joined(const JoinExpr* join, TreeLevel* level, Bitmapset** below) {
  Bitmapset* sides = nullptr;
  if (from(join->larg, level, &sides) || from(join->rarg, level, &sides)) return true;
  if (condition(join->quals, level, sides)) return true;
  *below = bms_join(*below, sides);
  if (join->rtindex == 0) return false;
  if (read_entry(join->rtindex, true, level)) return true;
  *below = bms_add_member(*below, join->rtindex);
  return false;
}

bool TreeCheck::condition(Node* quals, TreeLevel* level, const Bitmapset* visible) {
  if (collecting_) return false;
  level->visible = visible;
  const bool is_wrong = below(quals);
  level->visible = nullptr;
  return is_wrong;
}

bool TreeCheck::read_entry(int number, bool is_join, TreeLevel* level) {
  const List* const entries = level->query->rtable;
  if (number < 1 || number > list_length(entries)) return wrong("entry %d of %d in FROM", number, list_length(entries));
  const RangeTblEntry* const entry = rt_fetch(number, entries);
  if ((entry->rtekind == RTE_JOIN) != is_join || pg::grouped_expressions(entry) != NIL)
    return wrong("entry %d (%s) in FROM as %s", number, name_of(entry), is_join ? "a join" : "a table");
  if (bms_is_member(number, level->read)) return wrong("entry %d (%s) twice in FROM", number, name_of(entry));
  level->read = bms_add_member(level->read, number);
  return false;
}

// A set operation has no FROM; what is read are its leaves.
bool TreeCheck::set_operation(const Node* tree, TreeLevel* level) {
  if (IsA(tree, SetOperationStmt)) {
    const auto* const both = reinterpret_cast<const SetOperationStmt*>(tree);
    return set_operation(both->larg, level) || set_operation(both->rarg, level);
  }
  if (!IsA(tree, RangeTblRef)) return wrong("a node of kind %d in a set operation", static_cast<int>(nodeTag(tree)));
  const int number = reinterpret_cast<const RangeTblRef*>(tree)->rtindex;
  if (read_entry(number, false, level)) return true;
  const RangeTblEntry* const entry = rt_fetch(number, level->query->rtable);
  if (entry->rtekind != RTE_SUBQUERY || entry->subquery == nullptr)
    return wrong("entry %d of a set operation, which is no query", number);
  const int columns = list_length(castNode(SetOperationStmt, level->query->setOperations)->colTypes);
  if (columns > 0 && shown_column(entry->subquery, columns) == nullptr)
    return wrong("entry %d of a set operation, which shows less than %d columns", number, columns);
  return false;
}

// ---- WITH -----------------------------------------------------------------------------------------------------------

// What is in WITH sees nothing of the level but what is in WITH before.
bool TreeCheck::with(TreeLevel* level) {
  ListCell* cell;
  foreach (cell, level->query->cteList) {
    const auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (!IsA(cte->ctequery, Query)) return wrong("\"%s\" in WITH is no query", cte->ctename);
    level->with = foreach_current_index(cell);
    auto* const within = castNode(Query, cte->ctequery);
    const bool outer = unread_;
    unread_ = unread_ || (cte->cterefcount == 0 && within->commandType == CMD_SELECT);
    if (query(within)) return true;
    unread_ = outer;
  }
  level->with = list_length(level->query->cteList);
  return false;
}

bool TreeCheck::cte(const RangeTblEntry* entry) {
  const TreeLevel* const level = up(entry->ctelevelsup);
  if (level == nullptr)
    return wrong("\"%s\" of a level %u up, where there is none", entry->ctename, entry->ctelevelsup);
  int place = 0;
  const CommonTableExpr* const cte = cte_of(level->query, entry->ctename, &place);
  if (cte == nullptr) return wrong("\"%s\" is not in WITH, %u up", entry->ctename, entry->ctelevelsup);
  if (place > level->with || (place == level->with && !cte->cterecursive))
    return wrong("\"%s\", %u up, stands in WITH after what reads it", entry->ctename, entry->ctelevelsup);
  if (cte->cterefcount < 1 && !entry->self_reference && !unread_)
    return wrong("\"%s\", %u up, which says that nobody reads it", entry->ctename, entry->ctelevelsup);
  const auto* const query = castNode(Query, cte->ctequery);
  for (int number = 1; number <= list_length(entry->coltypes); ++number) {
    const TargetEntry* const shown = shown_column(query, number);
    const auto column = column_of_entry(entry, number);
    if (shown == nullptr || !column) return wrong("\"%s\" has no column %d", entry->ctename, number);
    const auto* const expression = reinterpret_cast<const Node*>(shown->expr);
    if (exprType(expression) != column->type || exprCollation(expression) != column->collation)
      return wrong("column %d of \"%s\" is read as of type %u", number, entry->ctename, column->type);
  }
  return false;
}

// ---- the range table ------------------------------------------------------------------------------------------------

bool TreeCheck::entries(TreeLevel* level) {
  const Query* const query = level->query;
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    const int number = foreach_current_index(cell) + 1;
    if (!pg::permissions_stand(query, entry))
      return wrong("entry %d (%s) has the permissions of another table", number, name_of(entry));
    const bool outer = unread_;
    level->sees_all = !bms_is_member(number, level->read) && pg::grouped_expressions(entry) == NIL;
    level->entry = number;
    unread_ = unread_ || level->sees_all;
    if (this->entry(entry, level)) return true;
    unread_ = outer;
    level->entry = 0;
    if (entry->securityQuals != NIL) {
      level->visible = bms_make_singleton(number);
      if (below(entry->securityQuals)) return true;
    }
  }
  level->sees_all = false;
  return false;
}

bool TreeCheck::entry(const RangeTblEntry* entry, TreeLevel* level) {
  level->visible = entry->lateral ? level->read : nullptr;
  switch (entry->rtekind) {
    case RTE_RELATION:
      level->visible = level->read;  // samples are LATERAL without a word
      return below(entry->tablesample);
    case RTE_SUBQUERY:
      return entry->subquery == nullptr ? wrong("entry %d is no query", level->entry) : query(entry->subquery);
    case RTE_FUNCTION:
      return below(entry->functions);
    case RTE_TABLEFUNC:
      return below(entry->tablefunc);
    case RTE_VALUES:
      return below(entry->values_lists);
    case RTE_CTE:
      return cte(entry);
    default:
      level->visible = level->read;
      return below(pg::grouped_expressions(entry));
  }
}

}  // namespace dp::guard
