#include "guard/rewrite/numbered.h"

#include "guard/tree/columns.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

// The same value, in a form that the planner can neither make a constant of nor find equal to one with another number.
Node* numbered(Node* value, int number) {
  auto* const table = reinterpret_cast<Expr*>(column_of_type(1, TableOidAttributeNumber, OIDOID, -1, InvalidOid));
  // No table of a user has the number of a built-in object.
  auto* const other =
      reinterpret_cast<Expr*>(makeConst(OIDOID, -1, InvalidOid, sizeof(Oid), ObjectIdGetDatum(number), false, true));
  const Oid differs = get_negator(lookup_type_cache(OIDOID, TYPECACHE_EQ_OPR)->eq_opr);
  auto* const always = makeNode(CaseWhen);
  always->expr = make_opclause(differs, BOOLOID, false, table, other, InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, always->expr));
  always->result = reinterpret_cast<Expr*>(value);
  always->location = -1;
  auto* const choice = makeNode(CaseExpr);
  choice->casetype = exprType(value);
  choice->casecollid = exprCollation(value);
  choice->args = list_make1(always);
  choice->defresult = reinterpret_cast<Expr*>(makeNullConst(exprType(value), exprTypmod(value), exprCollation(value)));
  choice->location = -1;
  return reinterpret_cast<Node*>(choice);
}

// Whether a parameter stands in the expression: the planner may come to know its value.
bool has_parameter(Node* node, void*) {
  if (node == nullptr) return false;
  return IsA(node, Param) || pg::walk(node, has_parameter, nullptr);
}

}  // namespace

void keep_apart(Aggref* aggregate, const Aggref* written, int number) {
  if (aggregate->args != NIL) {
    linitial_node(TargetEntry, aggregate->args)->resorigcol = static_cast<AttrNumber>(number);
  } else if (has_parameter(eval_const_expressions(nullptr, reinterpret_cast<Node*>(written->aggfilter)), nullptr)) {
    aggregate->aggfilter = reinterpret_cast<Expr*>(numbered(reinterpret_cast<Node*>(aggregate->aggfilter), number));
  }
}

}  // namespace dp::guard
