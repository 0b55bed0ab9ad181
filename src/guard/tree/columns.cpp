#include "guard/tree/columns.h"

#include "guard/tree/fault.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

Node* node(const void* any) { return static_cast<Node*>(const_cast<void*>(any)); }

bool is_of_level(const Var* column, int depth) { return static_cast<int>(column->varlevelsup) == depth; }

struct Finding {
  int entry;
  int depth;  // how many queries within the level are around the node
  Uses uses;
};

bool find_uses(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Finding*>(context);
  if (IsA(node, Query)) {
    ++here.depth;
    pg::walk_query(castNode(Query, node), find_uses, context, QTW_IGNORE_JOINALIASES);
    --here.depth;
    return false;
  }
  if (!IsA(node, Var)) return pg::walk(node, find_uses, context);
  const auto* const column = castNode(Var, node);
  if (static_cast<int>(column->varno) != here.entry || !is_of_level(column, here.depth)) return false;
  here.uses.further_in = here.uses.further_in || here.depth > 0;
  if (column->varattno > 0) {
    here.uses.columns = bms_add_member(here.uses.columns, column->varattno);
  } else {
    here.uses.whole = true;
  }
  return false;
}

struct Replacing {
  Replacement* replacement;
  int depth;
  bool asks;  // whether a subquery has come in
};

Node* replace(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto& here = *static_cast<Replacing*>(context);
  if (IsA(node, Query)) {
    // Queries are told from each other by where they lie: one without such columns stays itself.
    if (!contain_vars_of_level(node, here.depth + 1)) return node;
    const bool before = here.asks;
    here.asks = false;
    ++here.depth;
    Query* const copy = pg::mutate_query(castNode(Query, node), replace, context, 0);
    --here.depth;
    copy->hasSubLinks = copy->hasSubLinks || here.asks;
    here.asks = before;
    return reinterpret_cast<Node*>(copy);
  }
  if (!IsA(node, Var) || !is_of_level(castNode(Var, node), here.depth)) return pg::mutate(node, replace, context);
  Var seen = *castNode(Var, node);
  seen.varlevelsup = 0;
  Node* const put = here.replacement->in_place_of(&seen);
  if (put == nullptr) return static_cast<Node*>(copyObjectImpl(node));
  put_further_in(put, here.depth);
  here.asks = here.asks || checkExprHasSubLink(put);
  return put;
}

bool come_nearer(Node* node, void* depth) {
  if (node == nullptr) return false;
  auto& within = *static_cast<int*>(depth);
  const auto nearer = [within](Index* up) {
    if (static_cast<int>(*up) > within) --*up;
    return false;
  };
  if (IsA(node, Var)) return nearer(&castNode(Var, node)->varlevelsup);
  if (IsA(node, Aggref)) nearer(&castNode(Aggref, node)->agglevelsup);
  if (IsA(node, GroupingFunc)) nearer(&castNode(GroupingFunc, node)->agglevelsup);
  if (!IsA(node, Query)) return pg::walk(node, come_nearer, depth);
  ++within;
  pg::walk_query(castNode(Query, node), come_nearer, depth, 0);
  --within;
  return false;
}

// No entry's number, while two of them change theirs.
constexpr int kBetween = 1 << 20;

struct Splitting {
  int above;
  int depth;  // of the node: how many queries of the query are around it
};

bool split(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& here = *static_cast<Splitting*>(context);
  if (IsA(node, Query)) {
    ++here.depth;
    pg::walk_query(castNode(Query, node), split, context, 0);
    --here.depth;
    return false;
  }
  if (IsA(node, Var)) {
    auto* const column = castNode(Var, node);
    if (!is_of_level(column, here.depth)) return false;
    const bool own = static_cast<int>(column->varno) > here.above;
    if (own) column->varno -= here.above;
    if (!own) ++column->varlevelsup;
    column->varnosyn = own ? static_cast<Index>(column->varno) : 0;
    column->varattnosyn = own ? column->varattno : 0;
    return false;
  }
  if (IsA(node, RangeTblRef) && here.depth == 0) castNode(RangeTblRef, node)->rtindex -= here.above;
  return pg::walk(node, split, context);
}

bool forget_syntax(Node* node, void* context) {
  if (node == nullptr) return false;
  auto& depth = *static_cast<int*>(context);
  if (IsA(node, Query)) {
    ++depth;
    pg::walk_query(castNode(Query, node), forget_syntax, context, 0);
    --depth;
    return false;
  }
  if (IsA(node, Var) && is_of_level(castNode(Var, node), depth)) {
    castNode(Var, node)->varnosyn = 0;
    castNode(Var, node)->varattnosyn = 0;
  }
  return pg::walk(node, forget_syntax, context);
}

}  // namespace

Var* column_showing(int entry, int number, const void* expression, int up) {
  const Node* const shown = node(expression);
  return makeVar(entry, static_cast<AttrNumber>(number), exprType(shown), exprTypmod(shown), exprCollation(shown),
                 static_cast<Index>(up));
}

Var* column_of_table(int entry, AttrNumber number, Oid table) {
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, number, &type, &modifier, &collation);
  return makeVar(entry, number, type, modifier, collation, 0);
}

Node* one_level_up(const void* expression) {
  if (expression == nullptr) return nullptr;
  if (contain_vars_of_level(node(expression), 0))
    raise_tree_fault("what was to leave a subquery reads a column of that subquery");
  auto* const copy = static_cast<Node*>(copyObjectImpl(expression));
  IncrementVarSublevelsUp(copy, -1, 1);
  return copy;
}

void put_further_in(void* expression, int by) {
  if (expression != nullptr && by > 0) IncrementVarSublevelsUp(node(expression), by, 0);
}

void put_out_further_in(void* expression, int from) { IncrementVarSublevelsUp(node(expression), 1, from); }

void put_subquery_further_in(Query* subquery, int by) {
  IncrementVarSublevelsUp(reinterpret_cast<Node*>(subquery), by, 1);
}

void come_nearer_by(void* expression, int by) {
  if (expression != nullptr && by > 0) IncrementVarSublevelsUp(node(expression), -by, by);
}

void renumber(void* expression, int from, int to) {
  if (from != to) ChangeVarNodes(node(expression), from, to, 0);
}

void come_nearer_but_ctes(void* expression) {
  int depth = 0;
  come_nearer(node(expression), &depth);
}

void take_columns_of_level_around(Query* subquery) {
  int depth = -1;
  come_nearer(node(subquery), &depth);
}

void exchange_entries(void* tree, int one, int other) {
  ChangeVarNodes(node(tree), one, kBetween, 0);
  ChangeVarNodes(node(tree), other, one, 0);
  ChangeVarNodes(node(tree), kBetween, other, 0);
}

void split_off(Query* query, int above) {
  Splitting here{above, 0};
  pg::walk_query(query, split, &here, 0);
}

void forget_how_written(Query* level) {
  int depth = 0;
  pg::walk_query(level, forget_syntax, &depth, QTW_IGNORE_JOINALIASES);
}

void renumber_all(void* expression, int by) { OffsetVarNodes(node(expression), by, 0); }

Node* with_replaced(const void* expression, Replacement* replacement) {
  Replacing here{replacement, 0, false};
  return replace(node(expression), &here);
}

void replace_in_level(Query* level, Replacement* replacement) {
  Replacing here{replacement, 0, false};
  List* const ctes = level->cteList;  // which cannot read the level, and are shared with the queries around
  *level = *pg::mutate_query(level, replace, &here, 0);
  level->cteList = ctes;
  level->hasSubLinks = level->hasSubLinks || here.asks;
}

Uses uses_of(const Query* level, int entry) {
  Finding here{entry, 0, {}};
  pg::walk_query(const_cast<Query*>(level), find_uses, &here, QTW_IGNORE_JOINALIASES);
  ListCell* cell;
  foreach (cell, level->rowMarks) {
    if (static_cast<int>(lfirst_node(RowMarkClause, cell)->rti) == entry) here.uses.whole = true;
  }
  return here.uses;
}

Uses uses_in(const void* expression, int entry) {
  Finding here{entry, 0, {}};
  find_uses(node(expression), &here);
  return here.uses;
}

}  // namespace dp::guard
