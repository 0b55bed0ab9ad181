#include "pg/joins.h"

#include <initializer_list>

#include "pg/walk.h"

namespace dp::pg {
namespace {

#if PG_VERSION_NUM >= 160000
Node* flatten_join_columns(Query* level, Node* expression) {
  return flatten_join_alias_vars(nullptr, level, expression);
}

bool is_nullable(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return walk_query(castNode(Query, node), is_nullable, nullptr, 0);
  if (IsA(node, Var) && castNode(Var, node)->varnullingrels != nullptr) return true;
  return walk(node, is_nullable, nullptr);
}

bool clear_nullable(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return walk_query(castNode(Query, node), clear_nullable, nullptr, 0);
  if (IsA(node, Var)) castNode(Var, node)->varnullingrels = nullptr;
  return walk(node, clear_nullable, nullptr);
}

// The outer joins so far: of the table tables[i], the entry joins[i].
struct Nullable {
  List* tables = NIL;
  List* joins = NIL;
};

template <class T>
T* marked(T* expression, const Nullable& nullable) {
  auto* node = reinterpret_cast<Node*>(expression);
  ListCell *table, *join;
  forboth(table, nullable.tables, join, nullable.joins) {
    node = add_nulling_relids(node, bms_make_singleton(lfirst_int(table)), bms_make_singleton(lfirst_int(join)));
  }
  return reinterpret_cast<T*>(node);
}

// A join's own condition sees the columns as they are.
void mark_joins(Node* tree, Query* query, Nullable* nullable) {
  if (!IsA(tree, JoinExpr)) return;
  auto* const join = castNode(JoinExpr, tree);
  mark_joins(join->larg, query, nullable);
  mark_joins(join->rarg, query, nullable);
  join->quals = marked(join->quals, *nullable);
  if ((join->jointype != JOIN_LEFT && join->jointype != JOIN_FULL) || join->rtindex != 0) return;
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_JOIN;
  entry->jointype = join->jointype;
  entry->eref = makeAlias("join", NIL);
  query->rtable = lappend(query->rtable, entry);
  join->rtindex = list_length(query->rtable);
  for (Node* const side : {join->rarg, join->larg}) {
    if (side == join->larg && join->jointype != JOIN_FULL) break;
    nullable->tables = lappend_int(nullable->tables, castNode(RangeTblRef, side)->rtindex);
    nullable->joins = lappend_int(nullable->joins, join->rtindex);
  }
}
#else
Node* flatten_join_columns(Query* level, Node* expression) { return flatten_join_alias_vars(level, expression); }
#endif

#if PG_VERSION_NUM >= 180000
struct Groups {
  int entry;
  List* expressions;
};

// References to groups stand nowhere in the text: they are given the place of what is grouped by, for messages.
bool place_groups(Node* node, void* context) {
  if (node == nullptr) return false;
  const auto* const groups = static_cast<const Groups*>(context);
  if (IsA(node, Var) && castNode(Var, node)->varlevelsup == 0 && castNode(Var, node)->varno == groups->entry) {
    auto* const column = castNode(Var, node);
    column->location = exprLocation(static_cast<Node*>(list_nth(groups->expressions, column->varattno - 1)));
  }
  return walk(node, place_groups, context);
}

void flatten_groups(Query* level) {
  if (!level->hasGroupRTE) return;
  level->targetList = static_cast<List*>(copyObjectImpl(level->targetList));
  level->havingQual = static_cast<Node*>(copyObjectImpl(level->havingQual));
  ListCell* cell;
  foreach (cell, level->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    Groups groups{foreach_current_index(cell) + 1, entry->groupexprs};
    if (entry->rtekind != RTE_GROUP) continue;
    place_groups(reinterpret_cast<Node*>(level->targetList), &groups);
    place_groups(level->havingQual, &groups);
  }
  level->targetList = castNode(List, flatten_group_exprs(nullptr, level, reinterpret_cast<Node*>(level->targetList)));
  level->havingQual = flatten_group_exprs(nullptr, level, level->havingQual);
  level->hasGroupRTE = false;
}
#endif

template <class T>
void flatten(T** part, Query* level) {
  *part = reinterpret_cast<T*>(flatten_join_columns(level, reinterpret_cast<Node*>(*part)));
}

// A copy of an entry that may read columns of the joins beside it.
RangeTblEntry* flattened_lateral(const RangeTblEntry* entry, Query* level) {
  auto* const copy = static_cast<RangeTblEntry*>(palloc(sizeof(RangeTblEntry)));
  *copy = *entry;
  if (copy->subquery != nullptr && contain_vars_of_level(reinterpret_cast<Node*>(copy->subquery), 1))
    flatten(&copy->subquery, level);
  flatten(&copy->functions, level);
  flatten(&copy->tablefunc, level);
  flatten(&copy->values_lists, level);
  return copy;
}

void flatten_joins(Query* level) {
  bool joins = false;
  ListCell* cell;
  foreach (cell, level->rtable) joins = joins || lfirst_node(RangeTblEntry, cell)->rtekind == RTE_JOIN;
  if (!joins) return;
  flatten(&level->targetList, level);
  flatten(&level->havingQual, level);
  flatten(&level->jointree, level);
  List* entries = NIL;
  foreach (cell, level->rtable) {
    auto* const entry = lfirst_node(RangeTblEntry, cell);
    entries = lappend(entries, entry->lateral ? flattened_lateral(entry, level) : entry);
  }
  level->rtable = entries;
}

}  // namespace

Query* flattened(const Query* level) {
  auto* const flat = static_cast<Query*>(palloc(sizeof(Query)));
  *flat = *level;
#if PG_VERSION_NUM >= 180000
  flatten_groups(flat);
#endif
  flatten_joins(flat);
  return flat;
}

void without_join_columns(Query* level) { flatten_joins(level); }

#if PG_VERSION_NUM >= 160000
Node* without_nullable(Node* expression) {
  if (!is_nullable(expression, nullptr)) return expression;
  expression = static_cast<Node*>(copyObjectImpl(expression));
  clear_nullable(expression, nullptr);
  return expression;
}

static bool say_nullable_in(Node* node, void*) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return walk(node, say_nullable_in, nullptr);
  say_nullable(castNode(Query, node));
  return false;
}
#endif

void say_nullable([[maybe_unused]] Query* query) {
#if PG_VERSION_NUM >= 160000
  say_nullable_in(query->jointree->quals, nullptr);
  ListCell* cell;
  foreach (cell, query->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_SUBQUERY) say_nullable(entry->subquery);
  }
  Nullable nullable;
  foreach (cell, query->jointree->fromlist) mark_joins(static_cast<Node*>(lfirst(cell)), query, &nullable);
  query->jointree->quals = marked(query->jointree->quals, nullable);
  query->targetList = marked(query->targetList, nullable);
  query->havingQual = marked(query->havingQual, nullable);
#endif
}

}  // namespace dp::pg
