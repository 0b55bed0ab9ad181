// PostgreSQL's walks over trees of nodes, with the types that they have: a walker returns true to stop, a mutator the
// changed copy.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

using Walker = bool (*)(Node* node, void* context);
using PlanWalker = bool (*)(PlanState* node, void* context);
using Mutator = Node* (*)(Node* node, void* context);

// What is directly below an expression.
inline bool walk(Node* node, Walker walker, void* context) {
  return expression_tree_walker(node, reinterpret_cast<bool (*)()>(walker), context);
}

// The same of what the parser has read and nobody has looked into yet.
inline bool walk_raw(Node* node, Walker walker, void* context) {
  return raw_expression_tree_walker(node, reinterpret_cast<bool (*)()>(walker), context);
}

// The parts of a query, but for what the flags (QTW_*) leave out.
inline bool walk_query(Query* query, Walker walker, void* context, int flags) {
  return query_tree_walker(query, reinterpret_cast<bool (*)()>(walker), context, flags);
}

inline bool walk_tables(List* tables, Walker walker, void* context, int flags) {
  return range_table_walker(tables, reinterpret_cast<bool (*)()>(walker), context, flags);
}

// The nodes directly below one of a running plan.
inline bool walk_plan(PlanState* node, PlanWalker walker, void* context) {
  return planstate_tree_walker(node, reinterpret_cast<bool (*)()>(walker), context);
}

// A copy of the expression with what the mutator makes of the parts directly below it.
inline Node* mutate(Node* node, Mutator mutator, void* context) {
  return expression_tree_mutator(node, reinterpret_cast<Node* (*)()>(mutator), context);
}

inline Query* mutate_query(Query* query, Mutator mutator, void* context, int flags) {
  return query_tree_mutator(query, reinterpret_cast<Node* (*)()>(mutator), context, flags);
}

}  // namespace dp::pg
