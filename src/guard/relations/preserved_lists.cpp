// Lists whose rows are kept where there are none for them.
#include "guard/admission/refusal.h"
#include "guard/functions/constants.h"
#include "guard/relations/value_lists.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The expression as it is where a row of the list (its number: the context) finds none.
Node* without_others(Node* node, void* list) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Var) || castNode(Var, node)->varno == *static_cast<int*>(list))
    return pg::mutate(node, without_others, list);
  const auto* const column = castNode(Var, node);
  return reinterpret_cast<Node*>(makeNullConst(column->vartype, column->vartypmod, column->varcollid));
}

// Whether the expression, then, is NULL or false.
bool is_nothing(Expr* expression, int list) {
  Node* const value = folded(without_others(reinterpret_cast<Node*>(expression), &list));
  if (value == nullptr || !IsA(value, Const)) return false;
  const auto* const constant = castNode(Const, value);
  return constant->constisnull || (constant->consttype == BOOLOID && !DatumGetBool(constant->constvalue));
}

bool passes_over(const Aggref* call, int list) {
  if (call->aggfilter != nullptr && is_nothing(call->aggfilter, list)) return true;
  if (call->args == NIL) return false;
  Expr* const value = linitial_node(TargetEntry, call->args)->expr;
  return exprType(reinterpret_cast<Node*>(value)) != BOOLOID && is_nothing(value, list);
}

}  // namespace

void check_preserved_list(Query* level, int list, List* aggregates, int location) {
  const char* const name = entry_numbered(list, level->rtable)->eref->aliasname;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    Node* const key = get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList);
    if (bms_is_subset(pull_varnos(nullptr, key), bms_make_singleton(list))) continue;
    DP_REFUSE(location,
              errmsg("an outer join keeps rows of the list %s for which there is none in a protected table", name),
              errhint("Group by columns of %s alone, let the protected table stand on the side whose rows are kept, or "
                      "use an inner join.",
                      name));
  }
  foreach (cell, aggregates) {
    if (passes_over(lfirst_node(Aggref, cell), list)) continue;
    DP_REFUSE(
        lfirst_node(Aggref, cell)->location,
        errmsg("an outer join keeps rows of the list %s for which there is none in a protected table, and an "
               "aggregate takes them",
               name),
        errhint("Let the aggregate take a column of the protected table, which is NULL there: count(v.id) in place "
                "of count(*).\nOr use an inner join."));
  }
}

}  // namespace dp::guard
