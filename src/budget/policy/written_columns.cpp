#include "budget/policy/written_columns.h"

#include "budget/policy/grouping_expression.h"
#include "pg/errors.h"
#include "pg/walk.h"

namespace dp::budget {
namespace {

// A column where the text names it: from that byte on.
struct Written {
  const char* name;
  int place;
};

bool collect(Node* node, void* found) {
  if (node == nullptr) return false;
  if (!IsA(node, ColumnRef)) return pg::walk_raw(node, collect, found);
  const auto* const column = castNode(ColumnRef, node);
  auto* const first = static_cast<Node*>(linitial(column->fields));
  if (!IsA(first, String)) return false;
  auto& list = *static_cast<List**>(found);
  list = lappend(list, new (palloc(sizeof(Written))) Written{strVal(first), column->location});
  return false;
}

void tell_expression(void* text) {
  errcontext("declared expression \"%s\", which dp.public_domain shows", static_cast<const char*>(text));
}

// Written*, in the order of their places or not.
List* written_in(const char* expression) {
  ErrorContextCallback context = {error_context_stack, tell_expression, const_cast<char*>(expression)};
  error_context_stack = &context;
  List* found = NIL;
  ListCell* cell;
  foreach (cell, raw_parser(expression, RAW_PARSE_PLPGSQL_EXPR)) {
    collect(lfirst_node(RawStmt, cell)->stmt, &found);
  }
  error_context_stack = context.previous;
  return found;
}

int by_place(const ListCell* one, const ListCell* other) {
  return static_cast<const Written*>(lfirst(one))->place - static_cast<const Written*>(lfirst(other))->place;
}

}  // namespace

List* columns_written(const char* expression) {
  List* names = NIL;
  ListCell* cell;
  foreach (cell, written_in(expression)) {
    names = list_append_unique(names, makeString(const_cast<char*>(static_cast<const Written*>(lfirst(cell))->name)));
  }
  return names;
}

const char* with_column_renamed(const char* expression, const char* from, const char* to) {
  const char* const old_text = column_text(from);
  const char* const new_text = column_text(to);
  if (strstr(expression, old_text) == nullptr) return nullptr;
  List* const all = written_in(expression);
  list_sort(all, by_place);
  StringInfoData renamed;
  initStringInfo(&renamed);
  int copied = 0;
  ListCell* cell;
  foreach (cell, all) {
    const auto& one = *static_cast<const Written*>(lfirst(cell));
    if (strcmp(one.name, from) != 0) continue;
    appendBinaryStringInfo(&renamed, expression + copied, one.place - copied);
    appendStringInfoString(&renamed, new_text);
    copied = one.place + static_cast<int>(strlen(old_text));
  }
  if (copied == 0) return nullptr;
  appendStringInfoString(&renamed, expression + copied);
  return renamed.data;
}

}  // namespace dp::budget
