// References to columns through joins and groups, before anything is planned.
//
// Since 16 a column says which outer joins may make NULL of it (Var.varnullingrels), and since 18 what a query groups
// by is an item of its range table (RTE_GROUP). The guard takes queries apart and puts them together again in the form
// that they had before, in which a column is a column; say_nullable() then says of a finished query what its joins do.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

// A copy of the level in which columns of joins and groups are what they stand for. For levels that are taken apart
// alone: it no longer says which columns joins and grouping sets make NULL.
Query* flattened(const Query* level);

// Puts the columns of tables in the place of those of joins, in the whole level, in place: also in what is LATERAL.
void without_join_columns(Query* level);

// The expression, or a copy of it, that does not say what makes NULL of its columns. For callers that write into copies
// alone.
#if PG_VERSION_NUM >= 160000
Node* without_nullable(Node* expression);
#else
inline Node* without_nullable(Node* expression) { return expression; }  // they say nothing of it
#endif

// Makes the columns of the query, and of those in its FROM and WHERE, say which of its outer joins make them NULL. All
// of these have one table on the side that may be missing, and no entry in the range table yet.
void say_nullable(Query* query);

// Since 17 the planner leaves out IS NOT NULL for columns that the catalog says are NOT NULL at that moment, which an
// older snapshot need not hold to.
inline void forget_not_null([[maybe_unused]] RelOptInfo* table) {
#if PG_VERSION_NUM >= 170000
  table->notnullattnums = nullptr;
#endif
}

// Puts the columns, of the entry with that number, in the place of references to them.
inline Node* replace_columns(Node* expression, int number, RangeTblEntry* entry, List* columns) {
  bool asks = false;  // whether subqueries came with them
#if PG_VERSION_NUM >= 180000
  return ReplaceVarsFromTargetList(expression, number, 0, entry, columns, 0, REPLACEVARS_REPORT_ERROR, 0, &asks);
#else
  return ReplaceVarsFromTargetList(expression, number, 0, entry, columns, REPLACEVARS_REPORT_ERROR, 0, &asks);
#endif
}

// What the operator is of the first order that knows it, from BTLessStrategyNumber to BTGreaterStrategyNumber, or
// ROWCOMPARE_NE for <>; 0 where it is of none.
inline int comparison_of(Oid op) {
#if PG_VERSION_NUM >= 180000
  // The numbers of comparisons are those of B-trees.
  List* const meanings = get_op_index_interpretation(op);
  return meanings == NIL ? 0 : static_cast<const OpIndexInterpretation*>(linitial(meanings))->cmptype;
#else
  List* const meanings = get_op_btree_interpretation(op);
  return meanings == NIL ? 0 : static_cast<const OpBtreeInterpretation*>(linitial(meanings))->strategy;
#endif
}

// = <> < <= > >= of an order.
inline bool is_comparison(Oid op) { return comparison_of(op) != 0; }

// The same of = < <= > >= alone, for the operands the other way round if they are mirrored; 0 for any other.
inline int range_of(Oid op, bool mirrored) {
  const int comparison = comparison_of(op);
  if (comparison > BTGreaterStrategyNumber) return 0;
  return comparison == 0 || !mirrored ? comparison : BTGreaterStrategyNumber + BTLessStrategyNumber - comparison;
}

inline List* pathkey_of(PlannerInfo* root, Expr* expression, Oid less, Relids tables) {
#if PG_VERSION_NUM >= 160000
  return build_expression_pathkey(root, expression, less, tables, true);
#else
  return build_expression_pathkey(root, expression, nullptr, less, tables, true);
#endif
}

}  // namespace dp::pg
