#include "guard/relations/protected_reads.h"

#include "budget/policy/accounts.h"
#include "guard/relations/from_clause.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Search {
  List* levels;
  const InnerQueries* inner_queries;
};

bool search(Node* node, void* context);

bool reads_protected_rows(const RangeTblEntry* table) {
  return is_protected(table->relid) || (table->inh && budget::has_protected_child(table->relid));
}

bool search_query(Query* query, const Search& outer) {
  if (outer.inner_queries->find(query) != nullptr) return false;
  Search inner{around(query, outer.levels), outer.inner_queries};
  // A CTE is looked at where it is read. Without FROM the range table is there for permissions alone.
  const bool reads_nothing =
      query->setOperations == nullptr && query->jointree != nullptr && query->jointree->fromlist == NIL;
  const int unread = QTW_IGNORE_CTE_SUBQUERIES | (reads_nothing ? QTW_IGNORE_RANGE_TABLE : 0);
  return pg::walk_query(query, search, &inner, QTW_EXAMINE_RTES_BEFORE | unread);
}

bool search_cte(const RangeTblEntry* entry, const Search& search) {
  List* levels = NIL;
  const CommonTableExpr* const cte = find_cte(entry, search.levels, &levels);
  return cte != nullptr && search_query(castNode(Query, cte->ctequery), {levels, search.inner_queries});
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
  return pg::walk(node, search, context);
}

}  // namespace

bool reads_protected(Query* query) {
  const InnerQueries none;
  return search_query(query, {NIL, &none});
}

bool is_protected(Oid relation) { return budget::protection_of(relation).has_value(); }

bool reads_protected(Query* level, List* levels, List* aggregates, const InnerQueries& inner_queries) {
  Search context{levels, &inner_queries};
  if (pg::walk_tables(level->rtable, search, &context, QTW_EXAMINE_RTES_BEFORE)) return true;
  if (search(reinterpret_cast<Node*>(level->jointree), &context)) return true;
  if (search(reinterpret_cast<Node*>(aggregates), &context)) return true;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const auto* const entry = get_sortgroupclause_tle(static_cast<SortGroupClause*>(lfirst(cell)), level->targetList);
    if (search(reinterpret_cast<Node*>(entry->expr), &context)) return true;
  }
  return false;
}

bool reads_protected(const SubLink* subquery, List* levels, const InnerQueries& inner_queries) {
  Search context{levels, &inner_queries};
  return search(subquery->subselect, &context);
}

}  // namespace dp::guard
