#include "guard/tables/over_tables.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

// Added to a level's range-table indexes while its references are replaced by ones to tables, whose numbers are
// smaller.
constexpr int kLevel = 1 << 20;

// Clears that columns were written as columns of a join: the recorded range-table number means another table here.
bool clear_join_names(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var)) {
    auto* const column = castNode(Var, node);
    column->varnosyn = static_cast<Index>(column->varno);
    column->varattnosyn = column->varattno;
  }
  return pg::walk(node, clear_join_names, nullptr);
}

// The size of what a reference to a column of the level becomes.
ExpressionSize size_of_column(const Var* column, void* items) {
  ListCell* cell;
  foreach (cell, static_cast<List*>(items)) {
    const auto* const item = static_cast<const FromItem*>(lfirst(cell));
    if (item->index != column->varno || item->table > 0) continue;
    const int columns = list_length(item->columns);
    if (column->varattno > 0 && column->varattno <= columns) return item->sizes[column->varattno - 1];
    ExpressionSize whole_row;
    for (int i = 0; i < columns; ++i) whole_row += item->sizes[i];
    return whole_row;
  }
  return {1, 1};
}

}  // namespace

ExpressionSize size_over_tables(Node* expression, List* items) { return size_of(expression, size_of_column, items); }

Node* put_over_tables(Node* expression, List* items) {
  CHECK_FOR_INTERRUPTS();
  Node* const copy = pg::without_nullable(expression);
  if (!checkExprHasSubLink(copy) && !contain_var_clause(copy)) return copy;  // which does not look into subqueries
  ListCell* cell;
  foreach (cell, items) {
    const auto* const item = static_cast<const FromItem*>(lfirst(cell));
    ChangeVarNodes(copy, item->index, kLevel + item->index, 0);
  }
  Node* result = copy;
  foreach (cell, items) {
    const auto* const item = static_cast<const FromItem*>(lfirst(cell));
    if (item->table > 0) {
      ChangeVarNodes(result, kLevel + item->index, item->table, 0);
    } else {
      result = pg::replace_columns(result, kLevel + item->index, item->entry, item->columns);
    }
  }
  clear_join_names(result, nullptr);
  return result;
}

Node* Sources::over_tables(Node* expression, const char* place) const {
  ExpressionSize size = size_over_tables(expression, items);
  together->nodes += size.nodes;
  if (size.parts <= ExpressionSize::kMostParts) size.nodes = together->nodes;
  if (size.too_large()) refuse_size(size, place, exprLocation(expression));
  Node* const over = put_over_tables(expression, items);
  if (above > 0) IncrementVarSublevelsUp(over, -1, 1);
  return over;
}

}  // namespace dp::guard
