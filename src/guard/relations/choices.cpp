// What a subquery does beyond choosing rows and columns.
#include "guard/relations/from_clause.h"
#include "guard/relations/protected_reads.h"
#include "guard/tree/query_marks.h"
#include "pg/walk.h"

namespace dp::guard {

static bool reads_cte(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, RangeTblEntry)) return castNode(RangeTblEntry, node)->rtekind == RTE_CTE;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), reads_cte, nullptr, QTW_EXAMINE_RTES_BEFORE);
  return pg::walk(node, reads_cte, nullptr);
}

const char* more_than_a_choice(const Query* query) {
  if (query->commandType != CMD_SELECT) return "a data-modifying statement";
  if (mark_of(query) == Mark::sets) return "GROUPING SETS, ROLLUP or CUBE";
  if (query->setOperations != nullptr) return "a set operation (UNION, INTERSECT, EXCEPT)";
  if (query->hasAggs || query->groupClause != NIL || query->groupingSets != NIL || query->havingQual != nullptr) {
    return "a grouped subquery";
  }
  if (query->distinctClause != NIL) return "a subquery with DISTINCT";
  if (query->limitCount != nullptr || query->limitOffset != nullptr) return "a subquery with LIMIT or OFFSET";
  if (query->hasWindowFuncs) return "a subquery with window functions";
  if (query->hasTargetSRFs) return "a subquery with a set-returning function";
  if (query->rowMarks != NIL) return "a subquery that locks rows";
  if (checkExprHasSubLink(reinterpret_cast<Node*>(query->targetList)))
    return "a subquery with subqueries among its columns";
  return nullptr;
}

// OFFSET 0, which a level gets whose columns hold an answer (rewrite.cpp).
static bool leaves_out_none(const Node* offset) {
  if (offset == nullptr || !IsA(offset, Const)) return false;
  const auto* const count = reinterpret_cast<const Const*>(offset);
  return !count->constisnull && DatumGetInt64(count->constvalue) == 0;
}

bool asks_among_columns(const Query* query) {
  auto* const columns = reinterpret_cast<Node*>(query->targetList);
  if (!checkExprHasSubLink(columns) || reads_cte(columns, nullptr)) return false;
  Query rows = *query;
  rows.targetList = NIL;
  if (leaves_out_none(rows.limitOffset)) rows.limitOffset = nullptr;
  return more_than_a_choice(&rows) == nullptr && reads_protected(&rows);
}

bool may_be_per_unit(const Query* query) {
  const bool groups = query->groupClause != NIL, distinct = query->distinctClause != NIL;
  if ((groups && distinct) || !(groups || distinct || query->hasWindowFuncs)) return false;
  Query bare = *query;
  bare.hasAggs = bare.hasWindowFuncs = false;
  bare.groupClause = bare.distinctClause = NIL;
  bare.havingQual = nullptr;
  return more_than_a_choice(&bare) == nullptr;
}

}  // namespace dp::guard
