// What is known of windows within one person beforehand.
#include <algorithm>

#include "guard/functions/aggregates.h"
#include "guard/functions/constants.h"
#include "guard/relations/per_unit_windows.h"
#include "guard/tree/by_number.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// ---- differences ----------------------------------------------------------------------------------------------------

struct Rises {
  const Query* level;
};

// Whether the call shows the value in the row before (or behind) this one, in the order of that value.
bool is_neighbour(const Node* node, const Node* value, bool before, const Query* level) {
  if (!IsA(node, WindowFunc)) return false;
  const auto* const call = reinterpret_cast<const WindowFunc*>(node);
  const bool alone = list_length(call->args) == 1;  // of the next row, without a default
  const bool lags = alone && kind_of_window(call->winfnoid) == Window::lag,
             leads = alone && kind_of_window(call->winfnoid) == Window::lead;
  const WindowClause* const window = window_of(call, level->windowClause);
  if (!(lags || leads) || window->orderClause == NIL || !equal(linitial(call->args), value)) return false;
  auto* const first = linitial_node(SortGroupClause, window->orderClause);
  if (!equal(get_sortgroupclause_expr(first, level->targetList), value)) return false;
  const TypeCacheEntry* const type =
      lookup_type_cache(exprType(const_cast<Node*>(value)), TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);
  const bool rises = first->sortop == type->lt_opr;
  return (rises || first->sortop == type->gt_opr) && (lags == rises) == before;
}

Node* zero_of(Oid type) {
  int16 length;
  bool by_value;
  get_typlenbyval(type, &length, &by_value);
  Oid input, parameter;
  getTypeInputInfo(type, &input, &parameter);
  const Datum zero = OidInputFunctionCall(input, pstrdup("0"), parameter, -1);
  return reinterpret_cast<Node*>(makeConst(type, -1, InvalidOid, length, zero, false, by_value));
}

Node* put_rises(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const Query* const level = static_cast<const Rises*>(context)->level;
  Node* const copy = pg::mutate(node, put_rises, context);
  if (!IsA(node, OpExpr) || list_length(castNode(OpExpr, node)->args) != 2) return copy;
  const auto* const op = castNode(OpExpr, node);
  auto *const left = static_cast<Node*>(linitial(op->args)), *const right = static_cast<Node*>(lsecond(op->args));
  if (op->opno >= FirstGenbkiObjectId || strcmp(get_opname(op->opno), "-") != 0) return copy;
  if (!is_neighbour(right, left, true, level) && !is_neighbour(left, right, false, level)) return copy;
  auto* const kept = makeNode(MinMaxExpr);
  kept->minmaxtype = op->opresulttype;
  kept->op = IS_GREATEST;
  kept->args = list_make2(copy, zero_of(op->opresulttype));
  kept->location = -1;
  return reinterpret_cast<Node*>(kept);
}

// ---- how many rows are left -----------------------------------------------------------------------------------------

// row_number() over all rows of a unit.
bool numbers_rows_of_unit(const PerUnitSubquery& per_unit, AttrNumber column) {
  if (column <= 0 || column > list_length(per_unit.level->targetList)) return false;
  const auto* const call =
      reinterpret_cast<const WindowFunc*>(target_numbered(per_unit.level->targetList, column)->expr);
  return IsA(call, WindowFunc) && call->winfnoid == kRowNumber &&
         are_all(window_of(call, per_unit.level->windowClause)->partitionClause, per_unit.unit_names);
}

// What the condition leaves of 1, 2, ...; 0: any number.
int rows_left_by(const PerUnitSubquery& per_unit, Node* condition, int table) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return 0;
  const auto* const op = castNode(OpExpr, condition);
  for (int side = 0; side < 2; ++side) {
    Node* const column = static_cast<Node*>(list_nth(op->args, side));
    Node* const bound = folded(static_cast<Node*>(list_nth(op->args, 1 - side)));
    if (!IsA(column, Var) || static_cast<int>(castNode(Var, column)->varno) != table || !IsA(bound, Const) ||
        castNode(Const, bound)->constisnull || !numbers_rows_of_unit(per_unit, castNode(Var, column)->varattno))
      continue;
    const Datum value = castNode(Const, bound)->constvalue;
    const Oid type = castNode(Const, bound)->consttype;
    if (type != INT2OID && type != INT4OID && type != INT8OID) return 0;
    const int64 number = type == INT8OID   ? DatumGetInt64(value)
                         : type == INT4OID ? DatumGetInt32(value)
                                           : DatumGetInt16(value);
    const int comparison = pg::range_of(op->opno, side == 1);
    if (comparison == BTEqualStrategyNumber) return 1;
    if (comparison != BTLessStrategyNumber && comparison != BTLessEqualStrategyNumber) return 0;
    const int64 most = comparison == BTLessStrategyNumber && number > PG_INT64_MIN ? number - 1 : number;
    return static_cast<int>(std::clamp<int64>(most, 1, PG_INT32_MAX));
  }
  return 0;
}

// The conditions under which a row of the table is part of what the joins make.
List* conditions_on(Node* tree, int table) {
  if (!IsA(tree, JoinExpr)) return NIL;
  const auto* const join = castNode(JoinExpr, tree);
  List* const below = list_concat(conditions_on(join->larg, table), conditions_on(join->rarg, table));
  const bool holds = join->jointype == JOIN_INNER || (join->jointype == JOIN_LEFT && is_entry(join->rarg, table));
  return holds ? list_concat(below, conditions_in(join->quals)) : below;
}

}  // namespace

Node* with_rises(Node* expression, const Query* level) {
  Rises rises{level};
  return put_rises(expression, &rises);
}

int rows_left(const PerUnitSubquery& per_unit, const Sources& sources, int table) {
  List* conditions = list_concat(list_copy(sources.conditions), conditions_on(sources.tree, table));
  conditions = list_concat(conditions, list_copy(static_cast<List*>(list_nth(sources.security_quals, table - 1))));
  int least = 0;
  ListCell* cell;
  foreach (cell, parts_of(conditions)) {
    const int left = rows_left_by(per_unit, static_cast<Node*>(lfirst(cell)), table);
    if (left > 0) least = least == 0 ? left : std::min(least, left);
  }
  return least;
}

}  // namespace dp::guard
