#include "guard/rewrite/protected_reads.h"

#include "budget/policy/accounts.h"
#include "guard/rewrite/from_clause.h"

namespace dp::guard {
namespace {

struct Search {
  List* levels;
  const Cores* cores;
};

bool search(Node* node, void* context);

bool reads_protected_rows(const RangeTblEntry* table) {
  return is_protected(table->relid) || (table->inh && budget::has_protected_child(table->relid));
}

bool search_query(Query* query, const Search& outer) {
  if (outer.cores->find(query) != nullptr) return false;
  Search inner{around(query, outer.levels), outer.cores};
  return query_tree_walker(query, reinterpret_cast<bool (*)()>(search), &inner, QTW_EXAMINE_RTES_BEFORE);
}

bool search_cte(const RangeTblEntry* entry, const Search& search) {
  const int up = static_cast<int>(entry->ctelevelsup);
  if (entry->self_reference || up >= list_length(search.levels)) return false;
  ListCell* cell;
  foreach (cell, static_cast<Query*>(list_nth(search.levels, up))->cteList) {
    auto* const cte = static_cast<CommonTableExpr*>(lfirst(cell));
    if (strcmp(cte->ctename, entry->ctename) != 0) continue;
    return search_query(castNode(Query, cte->ctequery), {list_copy_tail(search.levels, up), search.cores});
  }
  return false;
}

bool search(Node* node, void* context) {
  if (node == nullptr) return false;
  const auto& here = *static_cast<const Search*>(context);
  if (IsA(node, Query)) return search_query(castNode(Query, node), here);
  if (IsA(node, RangeTblEntry)) {
    const auto* const entry = castNode(RangeTblEntry, node);
    if (entry->rtekind == RTE_RELATION) return reads_protected_rows(entry);
    if (entry->rtekind == RTE_CTE) return search_cte(entry, here);
    return false;
  }
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(search), context);
}

}  // namespace

bool is_protected(Oid relation) { return budget::protection_of(relation).has_value(); }

bool reads_protected(Query* level, List* levels, List* aggregates, const Cores& cores) {
  Search context{levels, &cores};
  if (range_table_walker(level->rtable, reinterpret_cast<bool (*)()>(search), &context, QTW_EXAMINE_RTES_BEFORE)) return true;
  if (search(reinterpret_cast<Node*>(level->jointree), &context)) return true;
  if (search(reinterpret_cast<Node*>(aggregates), &context)) return true;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const auto* const entry = get_sortgroupclause_tle(static_cast<SortGroupClause*>(lfirst(cell)), level->targetList);
    if (search(reinterpret_cast<Node*>(entry->expr), &context)) return true;
  }
  return false;
}

}  // namespace dp::guard
