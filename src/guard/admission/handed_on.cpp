#include "guard/admission/handed_on.h"

namespace dp::guard {
namespace {

List* without_nulls(List* parts) {
  List* kept = NIL;
  ListCell* cell;
  foreach (cell, parts) {
    auto* const part = static_cast<Node*>(lfirst(cell));
    if (part != nullptr && !(IsA(part, Const) && castNode(Const, part)->constisnull)) kept = lappend(kept, part);
  }
  return kept;
}

}  // namespace

List* handed_on(Node* expression) {
  switch (nodeTag(expression)) {
    case T_CaseExpr: {
      const auto* const choice = castNode(CaseExpr, expression);
      List* results = list_make1(choice->defresult);
      ListCell* cell;
      foreach (cell, choice->args) results = lappend(results, lfirst_node(CaseWhen, cell)->result);
      return without_nulls(results);
    }
    case T_CoalesceExpr:
      return without_nulls(castNode(CoalesceExpr, expression)->args);
    case T_MinMaxExpr:
      return without_nulls(castNode(MinMaxExpr, expression)->args);
    case T_RelabelType:
      return without_nulls(list_make1(castNode(RelabelType, expression)->arg));
    default:
      return NIL;
  }
}

}  // namespace dp::guard
