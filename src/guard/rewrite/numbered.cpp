#include "guard/rewrite/numbered.h"

#include "guard/tree/columns.h"

#include "pg/nodes.h"
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
  Expr* const always = make_opclause(differs, BOOLOID, false, table, other, InvalidOid, InvalidOid);
  set_opfuncid(castNode(OpExpr, always));
  return pg::case_when(always, value, pg::null_like(value));
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
