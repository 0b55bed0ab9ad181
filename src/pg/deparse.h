// Expressions as SQL, where there is no plan to which their parameters belong.
#pragma once

#include "pg/walk.h"

extern "C" {
#include "utils/float.h"  // extra_float_digits
}

namespace dp::pg {

// The expression with parameters of the statement in the place of those that a plan gives: since 18 PostgreSQL looks in
// the plan for what gives them, and there is none.
inline Node* without_plan(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Param) || castNode(Param, node)->paramkind != PARAM_EXEC) return mutate(node, without_plan, nullptr);
  auto* const parameter = static_cast<Param*>(copyObjectImpl(node));
  parameter->paramkind = PARAM_EXTERN;
  return reinterpret_cast<Node*>(parameter);
}

// `context`: of deparse_context_for() or the like. With the names of tables before those of columns, if asked for.
inline char* text_of(Node* expression, List* context, bool with_tables) {
  return deparse_expression(without_plan(expression, nullptr), context, with_tables, false);
}

}  // namespace dp::pg
