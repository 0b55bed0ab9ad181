#include "guard/relations/written_rows.h"

#include <algorithm>

#include "guard/functions/constants.h"
#include "guard/relations/constant_rows.h"
#include "guard/relations/from_clause.h"
#include "guard/tree/by_number.h"
#include "guard/tree/columns.h"
#include "pg/joins.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Node* node(void* any) { return static_cast<Node*>(any); }

List* with_row(List* rows, List* values, Node* condition) {
  return lappend(rows, new (palloc(sizeof(WrittenRow))) WrittenRow{values, condition});
}

const WrittenRow& row_at(const ListCell* cell) { return *static_cast<const WrittenRow*>(cell->ptr_value); }

List* rows_up(List* rows) {
  List* up = NIL;
  ListCell* cell;
  foreach (cell, rows) {
    const WrittenRow& row = row_at(cell);
    up = with_row(up, reinterpret_cast<List*>(one_level_up(row.values)), one_level_up(row.condition));
  };
  return up;
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

// The elements of an array that is written in the query; false where it is something else, or is none.
bool add_elements(Node* array, List** elements) {
  if (IsA(array, ArrayExpr)) {
    const auto* const written = castNode(ArrayExpr, array);
    *elements = written->elements;
    return !written->multidims && *elements != NIL;
  }
  Node* const value = folded(array);
  if (!IsA(value, Const) || castNode(Const, value)->constisnull) return false;
  *elements = pg::elements_of(castNode(Const, value));
  return *elements != NIL && list_length(*elements) <= kMostRows;
}

// What unnest() gives of each of these expressions, side by side: what is shorter ends with NULLs. What calls no
// function that gives rows is the same in each.
List* rows_of_calls(List* expressions, bool numbered) {
  List* columns = NIL;  // List of Node: the elements
  int size = 0;
  bool calls = false;
  ListCell* cell;
  foreach (cell, expressions) {
    List* elements = NIL;
    if (!expression_returns_set(node(lfirst(cell)))) {
      columns = lappend(columns, NIL);
      continue;
    }
    if (!IsA(lfirst(cell), FuncExpr)) return NIL;
    const auto* const call = lfirst_node(FuncExpr, cell);
    if (!is_unnest(call) || type_is_rowtype(call->funcresulttype)) return NIL;
    if (!add_elements(node(linitial(call->args)), &elements)) return NIL;
    columns = lappend(columns, elements);
    size = std::max(size, list_length(elements));
    calls = true;
  }
  if (!calls || size > kMostRows) return NIL;
  List* rows = NIL;
  for (int i = 0; i < size; ++i) {
    List* values = NIL;
    ListCell* column;
    forboth(cell, expressions, column, columns) {
      auto* const shown = node(lfirst(cell));
      auto* const elements = static_cast<List*>(lfirst(column));
      if (elements == NIL) {
        values = lappend(values, copyObjectImpl(shown));
      } else if (i < list_length(elements)) {
        values = lappend(values, copyObjectImpl(list_nth(elements, i)));
      } else {
        values = lappend(values, makeNullConst(exprType(shown), exprTypmod(shown), exprCollation(shown)));
      }
    }
    if (numbered) values = lappend(values, pg::int8_constant(i + 1));
    rows = with_row(rows, values, nullptr);
  }
  return rows;
}

List* rows_of_functions(const RangeTblEntry* entry) {
  List* calls = NIL;
  ListCell* cell;
  foreach (cell, entry->functions) {
    Node* const call = lfirst_node(RangeTblFunction, cell)->funcexpr;
    if (!expression_returns_set(call)) return NIL;
    calls = lappend(calls, call);
  }
  return rows_of_calls(calls, entry->funcordinality);
}

// ---- queries --------------------------------------------------------------------------------------------------------

List* rows_of_query(Query* query);

// Of the columns that others see; those behind them are only sorted by.
List* expressions_of(List* columns) {
  List* expressions = NIL;
  ListCell* cell;
  foreach (cell, columns) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (!column->resjunk) expressions = lappend(expressions, column->expr);
  }
  return expressions;
}

// Sorted by what gives rows, each row stands there several times.
bool sorts_by_rows(const Query* query) {
  ListCell* cell;
  foreach (cell, query->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (column->resjunk && expression_returns_set(node(column->expr))) return true;
  }
  return false;
}

// Of the only entry of a query's FROM, as expressions of the query.
List* rows_of_entry(RangeTblEntry* entry) {
  List* rows = NIL;
  ListCell* cell;
  if (entry->rtekind == RTE_SUBQUERY && !OidIsValid(entry->relid)) return rows_up(rows_of_query(entry->subquery));
  if (entry->rtekind == RTE_FUNCTION) return rows_of_functions(entry);
  if (entry->rtekind != RTE_VALUES || list_length(entry->values_lists) > kMostRows) return NIL;
  foreach (cell, entry->values_lists) rows = with_row(rows, static_cast<List*>(lfirst(cell)), nullptr);
  return rows;
}

// What the query shows of the rows of its only entry.
List* chosen(Query* query, RangeTblEntry* entry, List* rows) {
  List* shown = NIL;
  ListCell* cell;
  foreach (cell, rows) {
    const WrittenRow& row = row_at(cell);
    List* const columns = as_columns(row.values);
    const auto of_row = [&](void* expression) {
      return pg::replace_columns(pg::without_nullable(node(expression)), 1, entry, columns);
    };
    Node* condition = row.condition;
    if (query->jointree->quals != nullptr) condition = make_and_qual(condition, of_row(query->jointree->quals));
    shown = with_row(shown, expressions_of(castNode(List, of_row(query->targetList))), condition);
  }
  return shown;
}

// SELECTs of one row each, in the types of the union.
List* rows_of_union(const Query* query, Node* part) {
  check_stack_depth();
  if (IsA(part, RangeTblRef)) {
    Query* const leaf = entry_numbered(castNode(RangeTblRef, part)->rtindex, query->rtable)->subquery;
    return rows_up(rows_of_query(leaf));
  }
  const auto* const both = castNode(SetOperationStmt, part);
  if (both->op != SETOP_UNION || !both->all) return NIL;
  List* const left = rows_of_union(query, both->larg);
  List* const right = left == NIL ? NIL : rows_of_union(query, both->rarg);
  return right == NIL ? NIL : list_concat(left, right);
}

List* in_types_of(const SetOperationStmt* all, List* rows) {
  List* cast = NIL;
  ListCell *row, *value, *type;
  foreach (row, rows) {
    List* values = NIL;
    forboth(value, row_at(row).values, type, all->colTypes) {
      auto* const written = node(lfirst(value));
      Node* const as_shown = coerce_to_target_type(nullptr, written, exprType(written), lfirst_oid(type), -1,
                                                   COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
      if (as_shown == nullptr) return NIL;
      values = lappend(values, as_shown);
    }
    cast = with_row(cast, values, row_at(row).condition);
  }
  return cast;
}

// The rows of a query without tables, as expressions of the query; NIL where they cannot be told.
List* rows_of_query(Query* written) {
  check_stack_depth();
  if (written->commandType != CMD_SELECT || written->cteList != NIL) return NIL;
  if (written->setOperations != nullptr) {
    if (written->limitCount != nullptr || written->limitOffset != nullptr || written->sortClause != NIL ||
        list_length(written->rtable) > kMostRows)
      return NIL;
    const auto* const all = castNode(SetOperationStmt, written->setOperations);
    return in_types_of(all, rows_of_union(written, written->setOperations));
  }
  Query* const query = pg::flattened(written);
  Query choice = *query;
  choice.hasTargetSRFs = false;
  if (more_than_a_choice(&choice) != nullptr || query->hasSubLinks || sorts_by_rows(query)) return NIL;
  if (query->rtable == NIL) {
    List* const columns = expressions_of(query->targetList);
    List* const rows = query->hasTargetSRFs ? rows_of_calls(columns, false) : with_row(NIL, columns, nullptr);
    ListCell* cell;
    foreach (cell, rows) static_cast<WrittenRow*>(lfirst(cell))->condition = query->jointree->quals;
    return rows;
  }
  if (query->hasTargetSRFs || list_length(query->rtable) != 1 || list_length(query->jointree->fromlist) != 1 ||
      !IsA(linitial(query->jointree->fromlist), RangeTblRef))
    return NIL;
  auto* const entry = linitial_node(RangeTblEntry, query->rtable);
  return chosen(query, entry, rows_of_entry(entry));
}

// Those that ask nothing and are no more than may be.
List* only_plain(List* rows) {
  ListCell* cell;
  foreach (cell, rows) {
    const WrittenRow& row = row_at(cell);
    if (checkExprHasSubLink(node(row.values)) || checkExprHasSubLink(row.condition) ||
        expression_returns_set(node(row.values)) || expression_returns_set(row.condition))
      return NIL;
  }
  return list_length(rows) <= kMostRows ? rows : NIL;
}

}  // namespace

List* rows_of_lateral(const RangeTblEntry* entry) {
  if (!entry->lateral) return NIL;
  if (entry->rtekind == RTE_FUNCTION) return only_plain(rows_of_functions(entry));
  if (entry->rtekind != RTE_SUBQUERY || OidIsValid(entry->relid)) return NIL;
  return only_plain(rows_up(rows_of_query(entry->subquery)));
}

}  // namespace dp::guard
