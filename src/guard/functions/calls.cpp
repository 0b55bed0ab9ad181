#include "guard/functions/calls.h"

#include "guard/functions/called.h"
#include "guard/functions/meaning.h"
#include "pg/nodes.h"

namespace dp::guard {

FuncExpr* cast_to(Oid type, void* expression, CoercionForm form) {
  const Oid from = getBaseType(exprType(static_cast<Node*>(expression)));
  Oid function = InvalidOid;
  if (find_coercion_pathway(type, from, COERCION_EXPLICIT, &function) != COERCION_PATH_FUNC)
    elog(ERROR, "there is no function that casts %s to %s", format_type_be(from), format_type_be(type));
  return makeFuncExpr(function, type, list_make1(expression), InvalidOid, InvalidOid, form);
}

Node* cast_from(Node* node, Oid type) {
  if (node == nullptr || !IsA(node, FuncExpr) || exprType(node) != type) return nullptr;
  const auto [function, arguments] = called_by(node);
  const bool casts =
      function < FirstGenbkiObjectId && meaning_of(function) == Meaning::cast && list_length(arguments) == 1;
  return casts ? static_cast<Node*>(linitial(arguments)) : nullptr;
}

FuncExpr* computed(const char* op, void* left, void* right) {
  const auto type_of = [](void* operand) { return getBaseType(exprType(static_cast<Node*>(operand))); };
  List* const name = list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup(op)));
  const Oid found = OpernameGetOprid(name, type_of(left), type_of(right));
  if (!OidIsValid(found)) elog(ERROR, "there is no operator %s of these types", op);
  return makeFuncExpr(get_opcode(found), get_op_rettype(found), list_make2(left, right), InvalidOid, InvalidOid,
                      COERCE_EXPLICIT_CALL);
}

bool is_now(const Node* node) {
  if (!IsA(node, FuncExpr)) return false;
  const Oid function = castNode(FuncExpr, node)->funcid;
  return function == F_NOW || function == F_TRANSACTION_TIMESTAMP || function == F_STATEMENT_TIMESTAMP;
}

}  // namespace dp::guard
