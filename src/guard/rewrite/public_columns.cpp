#include "guard/rewrite/public_columns.h"

#include "budget/policy/accounts.h"
#include "guard/forms/extension_forms.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/nodes.h"
#include "pg/permissions.h"

namespace dp::guard {
namespace {

bool is_public(const RangeTblEntry* entry) {
  return entry->rtekind == RTE_RELATION && !budget::protection_of(entry->relid) &&
         !(entry->inh && budget::has_protected_child(entry->relid));
}

// The number of the key (from 0) that is the column; -1: none is.
int find_key(const InnerQueryParts& inner_query, int table, AttrNumber column) {
  ListCell* cell;
  foreach (cell, inner_query.keys) {
    const auto* const key = static_cast<const Node*>(lfirst(cell));
    if (!IsA(key, Var)) continue;
    const auto* const grouped = reinterpret_cast<const Var*>(key);
    if (grouped->varno == table && grouped->varattno == column && grouped->varlevelsup == 0)
      return foreach_current_index(cell);
  }
  return -1;
}

// The key's column in the table = the key of the group, by the equality that groups. `depth`: of the level, seen from
// the subquery.
Node* compare(const GroupedLevel& level, int number, int depth) {
  const auto* const key = list_nth_node(Var, level.inner_query->keys, number);
  const auto* const clause = list_nth_node(SortGroupClause, level.query->groupClause, number);
  Var* const own = column_of(1, key);
  auto* const within = reinterpret_cast<Node*>(target_numbered(level.inner_query->query->targetList, number + 1)->expr);
  Var* const group = column_showing(1, number + 1, within, depth);
  Node* const shown = shown_as(reinterpret_cast<Node*>(group), reinterpret_cast<Node*>(own));
  Expr* const same = make_opclause(clause->eqop, BOOLOID, false, reinterpret_cast<Expr*>(own),
                                   reinterpret_cast<Expr*>(shown), InvalidOid, key->varcollid);
  set_opfuncid(reinterpret_cast<OpExpr*>(same));
  return reinterpret_cast<Node*>(same);
}

const Var* column_of(const SortGroupClause* clause, const Query* level) {
  Node* const key = get_sortgroupclause_expr(const_cast<SortGroupClause*>(clause), level->targetList);
  return IsA(key, Var) && castNode(Var, key)->varlevelsup == 0 ? castNode(Var, key) : nullptr;
}

// As members of a set of attributes, the keys that are columns of that table.
Bitmapset* keys_of(int table, const Query* level) {
  Bitmapset* keys = nullptr;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const Var* const column = column_of(lfirst_node(SortGroupClause, cell), level);
    if (column != nullptr && column->varno == table)
      keys = bms_add_member(keys, column->varattno - FirstLowInvalidHeapAttributeNumber);
  }
  return keys;
}

}  // namespace

void drop_dependent_keys(Query* level) {
  if (level->groupingSets != NIL || list_length(level->groupClause) < 2) return;
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const Var* const column = column_of(lfirst_node(SortGroupClause, cell), level);
    const RangeTblEntry* const entry = column == nullptr ? nullptr : entry_numbered(column->varno, level->rtable);
    Oid constraint = InvalidOid;
    const Bitmapset* const primary = entry != nullptr && is_public(entry) && column->varattno > 0
                                         ? get_primary_key_attnos(entry->relid, false, &constraint)
                                         : nullptr;
    const bool depends = primary != nullptr && bms_is_subset(primary, keys_of(column->varno, level)) &&
                         !bms_is_member(column->varattno - FirstLowInvalidHeapAttributeNumber, primary);
    if (!depends) kept = lappend(kept, lfirst(cell));
  }
  level->groupClause = kept;
}

Node* look_up_column(const GroupedLevel& level, const Var* column, int depth) {
  const RangeTblEntry* const entry = entry_numbered(column->varno, level.query->rtable);
  if (!is_public(entry)) return nullptr;
  Oid constraint = InvalidOid;  // its name, which the call gives besides
  const Bitmapset* const primary = get_primary_key_attnos(entry->relid, false, &constraint);
  if (primary == nullptr) return nullptr;
  Node* conditions = nullptr;
  for (int member = -1; (member = bms_next_member(primary, member)) >= 0;) {
    const int key = find_key(*level.inner_query, column->varno,
                             static_cast<AttrNumber>(member + FirstLowInvalidHeapAttributeNumber));
    if (key < 0) return nullptr;
    conditions = make_and_qual(conditions, compare(level, key, depth + 1));
  }
  List* permissions = NIL;
  RangeTblEntry* const table = pg::entry_for(&permissions, level.query, entry);
  table->inFromCl = true;
  Query* const query = pg::select_from(table);
  query->jointree->quals = conditions;
  pg::set_permissions(query, permissions);
  Var* const shown = column_of(1, column);
  query->targetList = list_make1(makeTargetEntry(reinterpret_cast<Expr*>(shown), 1, pstrdup("value"), false));
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXPR_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(query);
  link->location = -1;
  return reinterpret_cast<Node*>(link);
}

}  // namespace dp::guard
