#include "guard/facts/form.h"

#include "guard/functions/calls.h"

namespace dp::guard {
namespace {

template <class Expr>
Expression same(Expr* arg) {
  return {Form::same, list_make1(arg)};
}

// ELSE NULL chooses none of the parts.
Expression choice(const CaseExpr* node) {
  Expression choice{Form::one_of};
  ListCell* cell;
  foreach (cell, node->args) {
    choice.parts = lappend(choice.parts, lfirst_node(CaseWhen, cell)->result);
    choice.conditions = lappend(choice.conditions, lfirst_node(CaseWhen, cell)->expr);
  }
  choice.or_null = node->defresult == nullptr;
  if (choice.or_null) return choice;
  choice.parts = lappend(choice.parts, node->defresult);
  choice.conditions = lappend(choice.conditions, nullptr);
  return choice;
}

}  // namespace

Expression taken_apart(Node* node) {
  switch (nodeTag(node)) {
    case T_Const:
      return {Form::constant};
    case T_RelabelType:
      return same(castNode(RelabelType, node)->arg);
    case T_CoerceToDomain:
      return same(castNode(CoerceToDomain, node)->arg);
    case T_CollateExpr:
      return same(castNode(CollateExpr, node)->arg);
    case T_NullIfExpr:
      return {Form::same, list_make1(linitial(castNode(NullIfExpr, node)->args)), NIL, InvalidOid, true};
    case T_CaseExpr:
      return choice(castNode(CaseExpr, node));
    case T_CoalesceExpr:
      return {Form::one_of, castNode(CoalesceExpr, node)->args};
    case T_MinMaxExpr:
      return {Form::extreme, castNode(MinMaxExpr, node)->args};
    case T_CoerceViaIO:
      return {Form::shown, list_make1(castNode(CoerceViaIO, node)->arg)};
    case T_FuncExpr:
    case T_OpExpr: {
      const auto [function, arguments] = called_by(node);
      return {Form::call, arguments, NIL, function};
    }
    case T_NullTest:
      return {Form::test, list_make1(castNode(NullTest, node)->arg)};
    case T_BooleanTest:
      return {Form::test, list_make1(castNode(BooleanTest, node)->arg)};
    case T_DistinctExpr:
      return {Form::test, castNode(DistinctExpr, node)->args};
    case T_BoolExpr:
      return {Form::connected, castNode(BoolExpr, node)->args};
    case T_ScalarArrayOpExpr: {
      const auto [function, arguments] = called_by(node);
      return {Form::among, arguments, NIL, function};
    }
    default:
      return {Form::leaf};
  }
}

bool is_null_constant(const Node* node) {
  return IsA(node, Const) && reinterpret_cast<const Const*>(node)->constisnull;
}

}  // namespace dp::guard
