#include "guard/rewrite/probes.h"

#include "guard/functions/constants.h"
#include "guard/rewrite/free_levels.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool reads_denied_table(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, reads_denied_table, nullptr);
  auto* const query = castNode(Query, node);
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const table = lfirst_node(RangeTblEntry, cell);
    if (table->rtekind == RTE_RELATION && is_denied_with_account(pg::permissions_of(query, table))) return true;
  }
  return pg::walk_query(query, reads_denied_table, nullptr, 0);
}

bool is_certainly_empty(const Query* query, List* levels);

bool is_certainly_empty(const RangeTblEntry* entry, List* levels) {
  const auto* const level = static_cast<const Query*>(linitial(levels));
  switch (entry->rtekind) {
    case RTE_RELATION:
      return is_denied_with_account(pg::permissions_of(level, entry));
    case RTE_SUBQUERY:
      return is_certainly_empty(entry->subquery, levels);
    case RTE_CTE: {
      List* outer = NIL;
      const CommonTableExpr* const cte = find_cte(entry, levels, &outer);
      return cte != nullptr && is_certainly_empty(castNode(Query, cte->ctequery), outer);
    }
    default:
      return false;
  }
}

// Of a part of FROM: where one that has to find a row finds none.
bool is_certainly_empty(Node* tree, List* levels) {
  if (IsA(tree, RangeTblRef)) {
    const auto* const level = static_cast<const Query*>(linitial(levels));
    return is_certainly_empty(entry_numbered(castNode(RangeTblRef, tree)->rtindex, level->rtable), levels);
  }
  const auto* const join = castNode(JoinExpr, tree);
  const bool left = is_certainly_empty(join->larg, levels), right = is_certainly_empty(join->rarg, levels);
  switch (join->jointype) {
    case JOIN_INNER:
      return left || right;
    case JOIN_LEFT:
      return left;
    case JOIN_RIGHT:
      return right;
    default:
      return left && right;
  }
}

bool is_certainly_empty(Node* operation, const Query* query, List* levels) {
  if (IsA(operation, RangeTblRef)) return is_certainly_empty(operation, levels);
  const auto* const set = castNode(SetOperationStmt, operation);
  const bool left = is_certainly_empty(set->larg, query, levels), right = is_certainly_empty(set->rarg, query, levels);
  if (set->op == SETOP_EXCEPT) return left;
  return set->op == SETOP_INTERSECT ? left || right : left && right;
}

// Without the rows of denied tables. `levels`: the queries around it.
bool is_certainly_empty(const Query* query, List* levels) {
  check_stack_depth();
  List* const around = lcons(const_cast<Query*>(query), list_copy(levels));
  if (query->setOperations != nullptr) return is_certainly_empty(query->setOperations, query, around);
  if (query->hasAggs && query->groupClause == NIL) return false;  // one row over no rows
  ListCell* cell;
  foreach (cell, query->jointree->fromlist) {
    if (is_certainly_empty(static_cast<Node*>(lfirst(cell)), around)) return true;
  }
  return false;
}

// LIMIT 1, or one that is not written down.
bool takes_one(const Query* level) {
  if (level->limitCount == nullptr) return false;
  Node* const count = folded(level->limitCount);
  if (!IsA(count, Const)) return true;
  return !castNode(Const, count)->constisnull && DatumGetInt64(castNode(Const, count)->constvalue) == 1;
}

bool shows_columns(const Query* level) {
  ListCell* cell;
  foreach (cell, level->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (!entry->resjunk && contain_var_clause(reinterpret_cast<Node*>(entry->expr))) return true;
  }
  return false;
}

// Whether a level over such a table asks for one of its rows, or for none of its columns.
bool asks_for_row(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, asks_for_row, nullptr);
  auto* const level = castNode(Query, node);
  const bool chooses = level->sortClause != NIL || (level->jointree != nullptr && level->jointree->quals != nullptr);
  const bool asks = level->setOperations == nullptr && (!shows_columns(level) || (takes_one(level) && chooses));
  return (asks && names_denied(level)) || pg::walk_query(level, asks_for_row, nullptr, 0);
}

}  // namespace

bool probes_rows(Query* statement) {
  if (!reads_denied_table(reinterpret_cast<Node*>(statement), nullptr)) return false;
  return !is_certainly_empty(statement, NIL) || asks_for_row(reinterpret_cast<Node*>(statement), nullptr);
}

}  // namespace dp::guard
