#include "guard/relations/over_tables.h"

#include "guard/tree/columns.h"
#include "guard/tree/fault.h"

namespace dp::guard {
namespace {

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

// Otherwise a reference stays one.
static bool any_shows_columns(const List* items) {
  ListCell* cell;
  foreach (cell, items) {
    if (static_cast<const FromItem*>(lfirst(cell))->table == 0) return true;
  }
  return false;
}

ExpressionSize size_over_tables(Node* expression, List* items) {
  return size_of(expression, any_shows_columns(items) ? size_of_column : nullptr, items);
}

namespace {

// What the items of a level show, in the place of their columns.
class OverTables : public Replacement {
 public:
  explicit OverTables(List* items) : items_(items) {}

  Node* in_place_of(const Var* column) override {
    ListCell* cell;
    foreach (cell, items_) {
      const auto* const item = static_cast<const FromItem*>(lfirst(cell));
      if (item->index != static_cast<int>(column->varno)) continue;
      if (item->table > 0) return reinterpret_cast<Node*>(column_of(item->table, column));
      return pg::replace_columns(static_cast<Node*>(copyObjectImpl(column)), item->index, item->entry, item->columns);
    }
    raise_tree_fault("an expression reads an entry that its FROM does not hold");
  }

 private:
  List* items_;
};

}  // namespace

Node* put_over_tables(Node* expression, List* items) {
  CHECK_FOR_INTERRUPTS();
  OverTables over(items);
  return with_replaced(pg::without_nullable(expression), &over);
}

Node* Sources::over_tables(Node* expression, const char* place) const {
  ExpressionSize size = size_over_tables(expression, items);
  together->nodes += size.nodes;
  if (size.parts <= ExpressionSize::kMostParts) size.nodes = together->nodes;
  if (size.too_large()) refuse_size(size, place, exprLocation(expression));
  Node* const over = put_over_tables(expression, items);
  if (above > 0) come_nearer_by(over, 1);
  return over;
}

}  // namespace dp::guard
