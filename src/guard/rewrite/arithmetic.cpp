#include "guard/rewrite/arithmetic.h"

#include "pg/nodes.h"

namespace dp::guard {

Node* coerced(Node* node, Oid type) {
  return exprType(node) == type ? node
                                : coerce_to_target_type(nullptr, node, exprType(node), type, -1, COERCION_EXPLICIT,
                                                        COERCE_EXPLICIT_CAST, -1);
}

Node* operation(const char* name, Node* left, Node* right) {
  const Oid type = exprType(left);
  List* const qualified = list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup(name)));
  Expr* const made = make_opclause(OpernameGetOprid(qualified, type, type), type, false, reinterpret_cast<Expr*>(left),
                                   reinterpret_cast<Expr*>(coerced(right, type)), InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, made));
  return reinterpret_cast<Node*>(made);
}

Node* numeric_constant(Datum number) {
  return reinterpret_cast<Node*>(makeConst(NUMERICOID, -1, InvalidOid, -1, number, false, false));
}

Node* constant(Datum number, Oid type) {
  return eval_const_expressions(nullptr, coerced(numeric_constant(number), type));
}

}  // namespace dp::guard
