#include "guard/functions/calls.h"

#include "pg/nodes.h"

namespace dp::guard {

Computation computation_of(Node* node) {
  const auto [function, arguments] = called_by(node);
  return {meaning_of(function), arguments};
}

FuncExpr* called(Oid function, List* arguments, Oid collation) {
  const Oid type = get_func_rettype(function);
  return makeFuncExpr(function, type, arguments, type_is_collatable(type) ? collation : InvalidOid, collation,
                      COERCE_EXPLICIT_CALL);
}

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
  const Oid function = reinterpret_cast<const FuncExpr*>(node)->funcid;
  return function == F_NOW || function == F_TRANSACTION_TIMESTAMP || function == F_STATEMENT_TIMESTAMP;
}

Node* coerced(Node* node, Oid type) {
  return exprType(node) == type ? node
                                : coerce_to_target_type(nullptr, node, exprType(node), type, -1, COERCION_EXPLICIT,
                                                        COERCE_EXPLICIT_CAST, -1);
}

Node* operation(const char* name, Node* left, Node* right) {
  const Oid type = exprType(left);
  List* const qualified = list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup(name)));
  const Oid op = OpernameGetOprid(qualified, type, type);
  Expr* const made = make_opclause(op, get_op_rettype(op), false, reinterpret_cast<Expr*>(left),
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
