#include "guard/tree/replacements.h"

#include "pg/nodes.h"

namespace dp::guard {

Node* SingleValues::in_place_of(const Var* column) {
  if (static_cast<int>(column->varno) != number_) return nullptr;
  auto* const read = static_cast<RangeTblEntry*>(copyObjectImpl(entry_));
  if (read->rtekind == RTE_CTE) ++read->ctelevelsup;
  if (read->rtekind == RTE_SUBQUERY) put_subquery_further_in(read->subquery, 1);
  Query* const query = pg::select_from(read);
  auto* const value = reinterpret_cast<Expr*>(column_of(1, column));
  query->targetList = list_make1(makeTargetEntry(value, 1, pstrdup("value"), false));
  auto* const link = makeNode(SubLink);
  link->subLinkType = EXPR_SUBLINK;
  link->subselect = reinterpret_cast<Node*>(query);
  link->location = column->location;
  return reinterpret_cast<Node*>(link);
}

Node* NullColumns::in_place_of(const Var* column) {
  if (static_cast<int>(column->varno) != number_) return nullptr;
  return reinterpret_cast<Node*>(makeNullConst(column->vartype, column->vartypmod, column->varcollid));
}

}  // namespace dp::guard
