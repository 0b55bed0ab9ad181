#include "guard/rewrite/list_keys.h"

#include "guard/relations/constant_rows.h"
#include "guard/relations/value_lists.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

struct ListKey {
  Var* column;
  Oid equality;
};

// ListKey* of the group keys that are columns of the list.
List* keys_of(const Query* level, const ValueList& list) {
  List* keys = NIL;
  ListCell* cell;
  foreach (cell, level->groupClause) {
    const auto* const clause = lfirst_node(SortGroupClause, cell);
    Node* const key = get_sortgroupclause_expr(const_cast<SortGroupClause*>(clause), level->targetList);
    if (!IsA(key, Var) || castNode(Var, key)->varno != list.number || castNode(Var, key)->varattno <= 0) continue;
    keys = lappend(keys, new (palloc(sizeof(ListKey))) ListKey{castNode(Var, key), clause->eqop});
  }
  return keys;
}

// `row`: its constants; NIL: where none is joined.
Node* is_row(List* keys, List* row) {
  List* conditions = NIL;
  ListCell* cell;
  foreach (cell, keys) {
    const auto& key = *static_cast<const ListKey*>(lfirst(cell));
    auto* const value = row == NIL ? nullptr : static_cast<Node*>(list_nth(row, key.column->varattno - 1));
    if (value == nullptr || (IsA(value, Const) && castNode(Const, value)->constisnull)) {
      conditions = lappend(conditions, pg::is_null(copyObjectImpl(key.column)));
      continue;
    }
    Expr* const same = make_opclause(key.equality, BOOLOID, false, static_cast<Expr*>(copyObjectImpl(key.column)),
                                     static_cast<Expr*>(copyObjectImpl(value)), InvalidOid, key.column->varcollid);
    set_opfuncid(castNode(OpExpr, same));
    conditions = lappend(conditions, same);
  }
  return reinterpret_cast<Node*>(make_ands_explicit(conditions));
}

}  // namespace

Node* rows_of_lists(const Query* level, const Sources& sources) {
  Node* all = nullptr;
  ListCell *cell, *row;
  foreach (cell, sources.lists) {
    const auto& list = *static_cast<const ValueList*>(lfirst(cell));
    List* const keys = keys_of(level, list);
    if (list_length(keys) < 2 || list.rows == NIL) continue;
    List* rows = NIL;
    foreach (row, list.rows) rows = list_append_unique(rows, is_row(keys, static_cast<List*>(lfirst(row))));
    if (list.may_miss) rows = list_append_unique(rows, is_row(keys, NIL));
    all = make_and_qual(all, reinterpret_cast<Node*>(make_orclause(rows)));
  }
  return all;
}

List* preserved_rows(const Query* level, const Sources& sources) {
  const int number = preserved_list(sources.lists);
  const ValueList* kept = nullptr;
  ListCell *cell, *row;
  foreach (cell, sources.lists) {
    const auto* const list = static_cast<const ValueList*>(lfirst(cell));
    if (list->number == number) kept = list;
  }
  if (kept == nullptr || kept->rows == NIL || list_length(keys_of(level, *kept)) == list_length(level->groupClause))
    return NIL;
  List* conditions = NIL;
  foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(level->jointree->quals))) {
    auto* const condition = static_cast<Node*>(lfirst(cell));
    if (!checkExprHasSubLink(condition) && bms_is_subset(pull_varnos(nullptr, condition), bms_make_singleton(number)))
      conditions = lappend(conditions, condition);
  }
  List* values = list_make1(make_ands_explicit(conditions));
  foreach (cell, level->groupClause) {
    values = lappend(values, get_sortgroupclause_expr(lfirst_node(SortGroupClause, cell), level->targetList));
  }
  List* rows = NIL;
  foreach (row, kept->rows) {
    List* const columns = as_columns(static_cast<List*>(lfirst(row)));
    rows = lappend(rows, pg::replace_columns(static_cast<Node*>(copyObjectImpl(values)), number, kept->entry, columns));
  }
  return rows;
}

}  // namespace dp::guard
