#include "guard/relations/first_rows.h"

#include <cstdint>
#include <optional>

#include "guard/functions/aggregates.h"
#include "guard/functions/constants.h"
#include "guard/relations/join_conditions.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "guard/tree/query_marks.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

// The first of the rows with the same values in these columns.
void take_first_with(Query* subquery, List* columns) {
  List *keys = NIL, *order = NIL;
  ListCell *cell, *known;
  foreach (cell, columns) {
    TargetEntry* const column = column_for(lfirst_node(Var, cell), subquery);
    const Index reference = assignSortGroupRef(column, subquery->targetList);
    bool is_known = false;
    foreach (known, keys) is_known = is_known || lfirst_node(SortGroupClause, known)->tleSortGroupRef == reference;
    if (is_known) continue;
    const TypeCacheEntry* const type = lookup_type_cache(exprType(reinterpret_cast<Node*>(column->expr)),
                                                         TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR);
    auto* const key = makeNode(SortGroupClause);
    key->tleSortGroupRef = reference;
    key->hashable = false;
    pg::order_by(key, type, false);
    keys = lappend(keys, key);
  }
  foreach (cell, subquery->sortClause) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    bool is_known = false;
    foreach (known, keys)
      is_known = is_known || lfirst_node(SortGroupClause, known)->tleSortGroupRef == clause->tleSortGroupRef;
    if (!is_known) order = lappend(order, lfirst(cell));
  }
  subquery->distinctClause = static_cast<List*>(copyObjectImpl(keys));
  subquery->hasDistinctOn = true;
  subquery->sortClause = list_concat(keys, order);
  subquery->limitCount = nullptr;
  mark(subquery, Mark::first_of_each);
}

// ---- the nearest ----------------------------------------------------------------------------------------------------

// Whether values of the type have one order only, which is PostgreSQL's own.
bool is_ordered_by_server(Oid type) {
  return type < FirstGenbkiObjectId && !type_is_range(type) && !type_is_multirange(type) && !type_is_rowtype(type) &&
         !type_is_array(type);
}

struct Comparison {
  Var* column;
  bool upwards;  // the nearest value is the smallest
};

// column < <= > >= something around the subquery, by PostgreSQL's own order; nothing for other conditions.
std::optional<Comparison> comparison_in(Node* condition) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return std::nullopt;
  const auto* const op = castNode(OpExpr, condition);
  if (op_volatile(op->opno) != PROVOLATILE_IMMUTABLE) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    auto* const column = static_cast<Node*>(list_nth(op->args, side));
    if (!IsA(column, Var) || castNode(Var, column)->varlevelsup > 0 ||
        contain_vars_of_level(static_cast<Node*>(list_nth(op->args, 1 - side)), 0))
      continue;
    const int range = pg::range_of(op->opno, side == 1);
    if (range == 0 || range == BTEqualStrategyNumber || !is_ordered_by_server(castNode(Var, column)->vartype) ||
        op->inputcollid != castNode(Var, column)->varcollid)
      return std::nullopt;
    return Comparison{castNode(Var, column), range == BTGreaterEqualStrategyNumber || range == BTGreaterStrategyNumber};
  }
  return std::nullopt;
}

// Whether the rows of the query begin with the value that is nearest.
bool is_ordered_so(const Query* subquery, const Comparison& comparison, const OpExpr* op) {
  if (subquery->sortClause == NIL) return false;
  auto* const first = linitial_node(SortGroupClause, subquery->sortClause);
  if (!equal(get_sortgroupclause_expr(first, subquery->targetList), comparison.column)) return false;
  const Oid family = lookup_type_cache(comparison.column->vartype, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
  const int by = get_op_opfamily_strategy(first->sortop, family);
  return by == (comparison.upwards ? BTLessStrategyNumber : BTGreaterStrategyNumber) &&
         get_op_opfamily_strategy(op->opno, family) != 0;
}

// The columns of the subquery, which becomes the only entry of FROM.
Query* around_all(Query* subquery) {
  Query* const query = pg::select_from(entry_of_subquery(subquery, "ordered"));
  ListCell* cell;
  foreach (cell, subquery->targetList) {
    auto* const column = lfirst_node(TargetEntry, cell);
    if (column->resjunk) continue;
    Var* const shown = column_showing(1, column->resno, column->expr);
    query->targetList = lappend(query->targetList, makeTargetEntry(reinterpret_cast<Expr*>(shown), column->resno,
                                                                   pstrdup(column->resname), false));
  }
  return query;
}

// lead(column) OVER (PARTITION BY partition ORDER BY column), as another column: of the next value in that order.
void add_next(Query* query, List* partition, AttrNumber column, bool upwards) {
  auto* const window = makeNode(WindowClause);
  const auto clause_of = [&](AttrNumber number, bool reverse) {
    TargetEntry* const shown = target_numbered(query->targetList, number);
    const TypeCacheEntry* const type = lookup_type_cache(exprType(reinterpret_cast<Node*>(shown->expr)),
                                                         TYPECACHE_LT_OPR | TYPECACHE_GT_OPR | TYPECACHE_EQ_OPR);
    auto* const clause = makeNode(SortGroupClause);
    clause->tleSortGroupRef = assignSortGroupRef(shown, query->targetList);
    pg::order_by(clause, type, reverse);
    return clause;
  };
  ListCell* cell;
  foreach (cell, partition) {
    window->partitionClause =
        lappend(window->partitionClause, clause_of(static_cast<AttrNumber>(lfirst_int(cell)), false));
  }
  // What a row must not pass: the next value towards what is compared.
  window->orderClause = list_make1(clause_of(column, upwards));
  window->frameOptions = FRAMEOPTION_DEFAULTS;
  window->winref = 1;
  auto* const own = target_numbered(query->targetList, column)->expr;
  auto* const call = makeNode(WindowFunc);
  call->winfnoid = kLead;
  call->wintype = exprType(reinterpret_cast<Node*>(own));
  call->wincollid = call->inputcollid = exprCollation(reinterpret_cast<Node*>(own));
  call->args = list_make1(copyObjectImpl(own));
  call->winref = 1;
  call->location = -1;
  query->windowClause = list_make1(window);
  query->hasWindowFuncs = true;
  const auto number = static_cast<AttrNumber>(list_length(query->targetList) + 1);
  query->targetList =
      lappend(query->targetList, makeTargetEntry(reinterpret_cast<Expr*>(call), number, pstrdup("next"), false));
}

// The value that is compared as the next one: `number` is the subquery's.
class NextValue : public Replacement {
 public:
  NextValue(const Nearest& nearest, int number) : nearest_(nearest), number_(number) {}

  Node* in_place_of(const Var* column) override {
    if (static_cast<int>(column->varno) != number_ || column->varattno != nearest_.column) return nullptr;
    return reinterpret_cast<Node*>(column_showing(number_, nearest_.next, column));
  }

 private:
  const Nearest& nearest_;
  int number_;
};

}  // namespace

Var* compared_column(Node* condition) {
  if (!IsA(condition, OpExpr) || list_length(castNode(OpExpr, condition)->args) != 2) return nullptr;
  const auto* const op = castNode(OpExpr, condition);
  for (int side = 0; side < 2; ++side) {
    Node* const column = without_relabel(static_cast<Node*>(list_nth(op->args, side)));
    auto* const other = static_cast<Node*>(list_nth(op->args, 1 - side));
    if (!IsA(column, Var) || castNode(Var, column)->varlevelsup > 0 || contain_vars_of_level(other, 0)) continue;
    if (is_equality_of(op, castNode(Var, column)->vartype)) return castNode(Var, column);
  }
  return nullptr;
}

TargetEntry* column_for(Var* value, Query* subquery) {
  ListCell* cell;
  foreach (cell, subquery->targetList) {
    auto* const column = lfirst_node(TargetEntry, cell);
    if (!column->resjunk && equal(column->expr, value)) return column;
  }
  // In front of those that are not shown.
  int shown = 0;
  foreach (cell, subquery->targetList) shown += !lfirst_node(TargetEntry, cell)->resjunk;
  TargetEntry* const column =
      makeTargetEntry(static_cast<Expr*>(copyObjectImpl(value)), static_cast<AttrNumber>(shown + 1),
                      psprintf("compared%d", shown + 1), false);
  subquery->targetList = list_insert_nth(subquery->targetList, shown, column);
  for_each_from(cell, subquery->targetList, shown + 1)++ lfirst_node(TargetEntry, cell)->resno;
  return column;
}

bool takes_first(const Query* subquery) {
  if (subquery->limitCount == nullptr || subquery->limitOffset != nullptr ||
      subquery->limitOption != LIMIT_OPTION_COUNT)
    return false;
  Node* const limit = folded(subquery->limitCount);
  return IsA(limit, Const) && !castNode(Const, limit)->constisnull &&
         DatumGetInt64(castNode(Const, limit)->constvalue) == 1;
}

bool take_first_of_each(Query* subquery, List* conditions) {
  List* columns = NIL;
  ListCell* cell;
  foreach (cell, conditions) columns = lappend(columns, compared_column(static_cast<Node*>(lfirst(cell))));
  if (columns == NIL || list_member_ptr(columns, nullptr)) return false;
  take_first_with(subquery, columns);
  return true;
}

bool is_first_of_each(const Query* subquery) { return mark_of(subquery) == Mark::first_of_each; }

bool take_nearest(Query* subquery, List* conditions, Nearest* nearest) {
  List* columns = NIL;
  std::optional<Comparison> comparison;
  ListCell* cell;
  foreach (cell, conditions) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    Var* const equal_one = compared_column(condition);
    if (equal_one != nullptr && castNode(OpExpr, condition)->opno < FirstGenbkiObjectId) {
      columns = lappend(columns, equal_one);
      continue;
    }
    if (comparison) return false;
    comparison = comparison_in(condition);
    if (!comparison || !is_ordered_so(subquery, *comparison, castNode(OpExpr, condition))) return false;
    nearest->comparison = condition;
  }
  if (!comparison) return false;
  take_first_with(subquery, lappend(list_copy(columns), comparison->column));
  List* partition = NIL;
  foreach (cell, columns) partition = lappend_int(partition, column_for(lfirst_node(Var, cell), subquery)->resno);
  nearest->column = column_for(comparison->column, subquery)->resno;
  nearest->shown = around_all(subquery);
  add_next(nearest->shown, partition, nearest->column, comparison->upwards);
  nearest->next = static_cast<AttrNumber>(list_length(nearest->shown->targetList));
  mark(nearest->shown, Mark::nearest);
  return true;
}

Node* not_next_either(const Nearest& nearest, Node* comparison, int number) {
  NextValue next(nearest, number);
  auto* const test = makeNode(BooleanTest);
  test->arg = reinterpret_cast<Expr*>(with_replaced(comparison, &next));
  test->booltesttype = IS_NOT_TRUE;
  test->location = -1;
  return reinterpret_cast<Node*>(test);
}

bool finds_one(const Query* subquery) { return mark_of(subquery) == Mark::nearest; }

}  // namespace dp::guard
