// The items that a level reads from, and the CTEs that these are.
#include "guard/relations/from_clause.h"
#include "guard/relations/single_answers.h"
#include "guard/tree/by_number.h"
#include "guard/tree/fault.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Those of the level, and of what its WHERE asks, but for answers, which are asked beside it.
struct Readers {
  List* levels;
};

bool release_in(Node* node, void* readers) {
  if (node == nullptr) return false;
  if (IsA(node, SubLink) &&
      may_be_single_answer(castNode(SubLink, node), static_cast<const Readers*>(readers)->levels)) {
    return false;
  }
  if (!IsA(node, Query)) return pg::walk(node, release_in, readers);
  auto* const query = castNode(Query, node);
  release_ctes(query, around(query, static_cast<const Readers*>(readers)->levels));
  return false;
}

bool collect_indexes(Node* node, void* indexes) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblRef)) {
    auto* const list = static_cast<List**>(indexes);
    *list = lappend_int(*list, castNode(RangeTblRef, node)->rtindex);
    return false;
  }
  if (IsA(node, JoinExpr)) {
    return collect_indexes(castNode(JoinExpr, node)->larg, indexes) ||
           collect_indexes(castNode(JoinExpr, node)->rarg, indexes);
  }
  return pg::walk(node, collect_indexes, indexes);
}

}  // namespace

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

bool is_read_elsewhere(const CommonTableExpr* cte, const RangeTblEntry* entry, const Query* level) {
  int readers = 0;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const other = lfirst_node(RangeTblEntry, cell);
    readers += other->rtekind == RTE_CTE && other->ctelevelsup == entry->ctelevelsup &&
               strcmp(other->ctename, entry->ctename) == 0;
  }
  return readers < cte->cterefcount;
}

void release_ctes(Query* level, List* levels) {
  Readers readers{levels};
  release_in(level->jointree->quals, &readers);
  ListCell* cell;
  foreach (cell, from_indexes(level)) {
    RangeTblEntry* const entry = entry_numbered(lfirst_int(cell), level->rtable);
    if (entry->rtekind == RTE_SUBQUERY) release_ctes(entry->subquery, around(entry->subquery, levels));
    if (entry->rtekind != RTE_CTE) continue;
    List* outer = NIL;
    CommonTableExpr* const cte = find_cte(entry, levels, &outer);
    if (cte == nullptr) raise_tree_fault("a level that is taken apart reads a row of the recursion");
    // A CTE that nobody reads any more no longer counts as a reader of others.
    if (--cte->cterefcount == 0)
      release_ctes(castNode(Query, cte->ctequery), around(castNode(Query, cte->ctequery), outer));
  }
}

List* from_indexes(const Query* level) {
  List* indexes = NIL;
  collect_indexes(reinterpret_cast<Node*>(level->jointree), &indexes);
  return indexes;
}

PerUnitTable* Sources::per_unit_among(int number) const {
  ListCell* cell;
  foreach (cell, per_unit) {
    auto* const found = static_cast<PerUnitTable*>(lfirst(cell));
    if (found->entry == table(number)) return found;
  }
  return nullptr;
}

List* Sources::tables_read() const {
  List* all = NIL;
  for (int number = 1; number <= list_length(tables); ++number) {
    const PerUnitTable* const computed = per_unit_at(number);
    all = computed != nullptr ? list_concat(all, computed->below->tables_read())
                              : lappend(all, new (palloc(sizeof(TableRead))) TableRead{this, number});
  }
  return all;
}

const char* name_of_table(const RangeTblEntry* table) {
  return table->rtekind == RTE_RELATION ? get_rel_name(table->relid) : table->eref->aliasname;
}

char* name_of_column(const RangeTblEntry* table, AttrNumber column) {
  if (table->rtekind == RTE_RELATION) return get_attname(table->relid, column, false);
  if (column <= list_length(table->eref->colnames)) return column_name(table, column);
  // A per-unit subquery may group by the unit and not show it.
  const auto* const key =
      reinterpret_cast<const Var*>(target_numbered(pg::flattened(table->subquery)->targetList, column)->expr);
  if (!IsA(key, Var)) return pstrdup("unit");
  return get_rte_attribute_name(entry_numbered(key->varno, table->subquery->rtable), key->varattno);
}

List* named_only(Query* level, List** permissions) {
  const List* const read = from_indexes(level);
  List* named = NIL;
  ListCell* cell;
  foreach (cell, level->rtable) {
    const RangeTblEntry* const carrier =
        pg::carrier_of(lfirst_node(RangeTblEntry, cell), list_member_int(read, foreach_current_index(cell) + 1));
    if (carrier != nullptr) named = lappend(named, pg::entry_for(permissions, level, carrier));
  }
  return named;
}

}  // namespace dp::guard
