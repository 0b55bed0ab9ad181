#include "guard/rewrite/level_copies.h"

#include "guard/relations/from_clause.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// What reads a CTE within a query whose own CTEs became those of the query around it.
struct Readers {
  List* levels;  // around the query that is walked, innermost first, as they are now
  int depth;     // how far in it is
  int by;        // how far in the outermost of them was put
};

bool read_from_around(Node* node, void* context) {
  if (node == nullptr) return false;
  const auto& readers = *static_cast<const Readers*>(context);
  if (IsA(node, Query)) {
    Readers inner{around(castNode(Query, node), readers.levels), readers.depth + 1, readers.by};
    return pg::walk_query(castNode(Query, node), read_from_around, &inner, QTW_EXAMINE_RTES_BEFORE);
  }
  if (!IsA(node, RangeTblEntry)) return pg::walk(node, read_from_around, context);
  auto* const entry = castNode(RangeTblEntry, node);
  if (entry->rtekind != RTE_CTE) return false;
  if (static_cast<int>(entry->ctelevelsup) == readers.depth) entry->ctelevelsup += static_cast<Index>(readers.by);
  List* outer = NIL;
  if (CommonTableExpr* const cte = find_cte(entry, readers.levels, &outer)) ++cte->cterefcount;
  return false;
}

}  // namespace

Query* copy_of_rows(const Query* level) {
  Query without = *level;
  without.cteList = NIL;
  auto* const copy = static_cast<Query*>(copyObjectImpl(&without));
  copy->groupDistinct = copy->hasAggs = copy->hasWindowFuncs = copy->hasTargetSRFs = copy->hasDistinctOn = false;
  copy->groupClause = copy->groupingSets = copy->windowClause = copy->distinctClause = copy->sortClause = NIL;
  copy->havingQual = copy->limitCount = copy->limitOffset = nullptr;
  return copy;
}

void put_within_level(Query* copy, List* levels, int by) {
  put_subquery_further_in(copy, by);
  Readers readers{around(copy, levels), 0, by};
  pg::walk_query(copy, read_from_around, &readers, QTW_EXAMINE_RTES_BEFORE);
}

bool holds_inner_query(Node* node, void* inner_queries) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, holds_inner_query, inner_queries);
  auto* const query = castNode(Query, node);
  if (static_cast<const InnerQueries*>(inner_queries)->find(query) != nullptr) return true;
  return pg::walk_query(query, holds_inner_query, inner_queries, 0);
}

bool reads_answers(Query* query, const InnerQueries& inner_queries) {
  return pg::walk_query(query, holds_inner_query, const_cast<InnerQueries*>(&inner_queries), 0);
}

}  // namespace dp::guard
