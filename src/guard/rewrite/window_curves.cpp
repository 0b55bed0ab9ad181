#include "guard/rewrite/window_curves.h"

#include <algorithm>

#include "guard/functions/aggregates.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

constexpr Oid kSums[] = {kSumOfInt8, kSumOfNumeric, kSumOfFloat8};

// As notes have them: how many keys part orders from each other, whether it falls, and all keys.
List* note_of(const CurveOrder& order) { return lcons_int(order.parts, lcons_int(order.falls, list_copy(order.keys))); }

struct Search {
  const Query* outer;
  int keys;
  List* order;   // note of the first one that was found; NIL: of none yet
  List* curves;  // List of int: column, rises
  List* mixed;   // int: columns that are added up in both ways
  List* shown;   // int: columns that are looked at group by group
};

const SortGroupClause* clause_at(const List* clauses, int i) {
  return static_cast<const SortGroupClause*>(list_nth(clauses, i));
}

// The key (from 0) that a clause of a window refers to, as it is; -1: none.
int key_of(const SortGroupClause* clause, const Search& search) {
  const auto* const shown = get_sortgroupclause_expr(const_cast<SortGroupClause*>(clause), search.outer->targetList);
  if (!IsA(shown, Var)) return -1;
  const auto* const column = reinterpret_cast<const Var*>(shown);
  return column->varno == 1 && column->varlevelsup == 0 && column->varattno <= search.keys ? column->varattno - 1 : -1;
}

// Whether it is the order of groups, or where it falls that from the last to the first.
bool is_usual_order(const SortGroupClause* clause, Oid type, bool falls) {
  const TypeCacheEntry* const orders = lookup_type_cache(type, TYPECACHE_LT_OPR | TYPECACHE_GT_OPR);
  return clause->nulls_first == falls && clause->sortop == (falls ? orders->gt_opr : orders->lt_opr);
}

// From the first row of a part to the current one.
bool is_running(const WindowClause* window) {
  constexpr int kBetween = FRAMEOPTION_START_UNBOUNDED_PRECEDING | FRAMEOPTION_END_CURRENT_ROW;
  return (window->frameOptions & kBetween) == kBetween && (window->frameOptions & FRAMEOPTION_EXCLUSION) == 0;
}

// Of a window that adds up along all keys; NIL of another one.
List* order_of(const WindowClause* window, const Search& search) {
  if (!is_running(window) || window->orderClause == NIL) return NIL;
  CurveOrder order{0, clause_at(window->orderClause, 0)->nulls_first, NIL};
  for (int i = 0; i < list_length(window->partitionClause); ++i) {
    const int key = key_of(clause_at(window->partitionClause, i), search);
    if (key < 0) return NIL;
    order.keys = list_append_unique_int(order.keys, key);
  }
  order.parts = list_length(order.keys);
  for (int i = 0; i < list_length(window->orderClause); ++i) {
    const SortGroupClause* const clause = clause_at(window->orderClause, i);
    const int key = key_of(clause, search);
    Node* const shown = get_sortgroupclause_expr(const_cast<SortGroupClause*>(clause), search.outer->targetList);
    if (key < 0 || !is_usual_order(clause, exprType(shown), order.falls)) return NIL;
    order.keys = list_append_unique_int(order.keys, key);
  }
  const bool all = list_length(order.keys) == search.keys && order.parts < search.keys;
  return all ? note_of(order) : NIL;
}

// GREATEST(answer, 0), as plain counts are shown.
Node* without_cut(Node* value, bool* cut) {
  if (!IsA(value, MinMaxExpr)) return value;
  const auto* const choice = reinterpret_cast<const MinMaxExpr*>(value);
  const auto* const least = static_cast<const Const*>(lsecond(choice->args));
  *cut = choice->op == IS_GREATEST && choice->minmaxtype == INT8OID && list_length(choice->args) == 2 &&
         IsA(least, Const) && !least->constisnull && DatumGetInt64(least->constvalue) == 0;
  return *cut ? static_cast<Node*>(linitial(choice->args)) : value;
}

const WindowClause* window_of(const WindowFunc* call, const Query* outer) {
  ListCell* cell;
  foreach (cell, outer->windowClause) {
    if (lfirst_node(WindowClause, cell)->winref == call->winref) return lfirst_node(WindowClause, cell);
  }
  pg_unreachable();
}

// Whether the call is such a total.
bool note(const WindowFunc* call, Search* search) {
  if (std::find(std::begin(kSums), std::end(kSums), call->winfnoid) == std::end(kSums) || call->aggfilter != nullptr)
    return false;
  bool rises = false;
  Node* const added = without_cut(static_cast<Node*>(linitial(call->args)), &rises);
  if (!IsA(added, Var) || castNode(Var, added)->varno != 1 || castNode(Var, added)->varlevelsup > 0) return false;
  List* const order = order_of(window_of(call, search->outer), *search);
  if (order == NIL || (search->order != NIL && !equal(order, search->order))) return false;
  search->order = order;
  const int column = castNode(Var, added)->varattno;
  search->curves = list_append_unique(search->curves, list_make2_int(column, rises));
  if (list_member(search->curves, list_make2_int(column, !rises))) search->mixed = lappend_int(search->mixed, column);
  return true;
}

bool find(Node* node, void* context) {
  auto* const search = static_cast<Search*>(context);
  if (node == nullptr || IsA(node, Query)) return false;
  if (IsA(node, WindowFunc) && note(castNode(WindowFunc, node), search)) return false;
  if (IsA(node, Var) && castNode(Var, node)->varno == 1 && castNode(Var, node)->varlevelsup == 0)
    search->shown = list_append_unique_int(search->shown, castNode(Var, node)->varattno);
  return pg::walk(node, find, context);
}

// What cannot be answered together: several grouping sets, groups of which some are chosen, limits that are chosen when
// rows have been read, arms that share a price. And errors are told of groups that are answered one by one.
bool can_be_together(const InnerQuery& what) {
  return what.sets() == 1 && what.set_column == 0 && what.count_column == 0 && !what.chooses_limits() &&
         what.open == NIL && what.families == NIL && what.errors == NIL;
}

}  // namespace

void find_curves(const Query* outer, InnerQueryParts* inner_query) {
  InnerQuery& what = inner_query->what;
  if (outer->jointree->quals != nullptr || what.keys == NIL || !can_be_together(what)) return;
  Search search{outer, list_length(what.keys), NIL, NIL, NIL, NIL};
  find(reinterpret_cast<Node*>(outer->targetList), &search);
  List* curves = NIL;
  ListCell* cell;
  foreach (cell, search.curves) {
    const int column = linitial_int(static_cast<List*>(lfirst(cell)));
    if (!list_member_int(search.mixed, column) && !list_member_int(search.shown, column))
      curves = lappend(curves, lfirst(cell));
  }
  if (curves != NIL) what.curves = lcons(search.order, curves);
}

CurveOrder order_of_curves(const InnerQuery& inner_query) {
  const auto* const order = static_cast<const List*>(linitial(inner_query.curves));
  return {linitial_int(order), lsecond_int(order) != 0, list_copy_tail(order, 2)};
}

int count_of_curves(const InnerQuery& inner_query) { return list_length(inner_query.curves) - 1; }

WindowCurve curve_at(const InnerQuery& inner_query, int number) {
  const auto* const one = static_cast<const List*>(list_nth(inner_query.curves, number + 1));
  return {linitial_int(one), lsecond_int(one) != 0};
}

}  // namespace dp::guard
