// Calls of functions: which one a node of an expression is, and those that the guard writes itself, PostgreSQL's casts
// and operators by their types.
#pragma once

#include "guard/functions/meaning.h"
#include "guard/functions/node_kinds.h"
#include "pg/planner.h"

namespace dp::guard {

// The function that a node calls, and its arguments; InvalidOid for nodes that call none.
struct CalledFunction {
  Oid function;
  List* arguments;
};
inline CalledFunction called_by(Node* node) {
  switch (kind_of_node(node).callee) {
    case Callee::none:
      break;
    case Callee::by_number:
      return {castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args};
    case Callee::by_operator: {
      auto* const op = reinterpret_cast<OpExpr*>(node);
      set_opfuncid(op);
      return {op->opfuncid, op->args};
    }
    case Callee::by_operator_on_elements: {
      auto* const op = castNode(ScalarArrayOpExpr, node);
      set_sa_opfuncid(op);
      return {op->opfuncid, op->args};
    }
  }
  return {InvalidOid, NIL};
}

// The operator that a node is an operation by; InvalidOid for nodes that are none.
inline Oid operator_of(const Node* node) {
  const Callee callee = kind_of_node(node).callee;
  if (callee == Callee::by_operator) return reinterpret_cast<const OpExpr*>(node)->opno;
  return callee == Callee::by_operator_on_elements ? reinterpret_cast<const ScalarArrayOpExpr*>(node)->opno
                                                   : InvalidOid;
}

// What the node computes by that function, as its row says; none for nodes that call none.
struct Computation {
  Meaning meaning;
  List* arguments;
};
Computation computation_of(Node* node);

// The function, called. The collation is that of its arguments, and of a text that comes out.
FuncExpr* called(Oid function, List* arguments, Oid collation = InvalidOid);

// The expression in that type, by the function of PostgreSQL's cast.
FuncExpr* cast_to(Oid type, void* expression, CoercionForm form = COERCE_EXPLICIT_CALL);

// What the node casts to that type by a function, a number or a moment; nullptr where it is no such cast.
Node* cast_from(Node* node, Oid type);

// The function of PostgreSQL's operator of that name, called.
FuncExpr* computed(const char* op, void* left, void* right);

// now(), or what gives the same.
bool is_now(const Node* node);

// The node in that type, by an explicit cast where it has another one.
Node* coerced(Node* node, Oid type);

// PostgreSQL's own operator of that name over the type of the left operand.
Node* operation(const char* name, Node* left, Node* right);

Node* numeric_constant(Datum number);

// A numeric as a constant of that type.
Node* constant(Datum number, Oid type);

}  // namespace dp::guard
