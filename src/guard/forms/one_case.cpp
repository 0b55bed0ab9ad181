#include "guard/forms/one_case.h"

#include "guard/admission/values.h"
#include "guard/forms/extension_functions.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The column whose text it is, also where that is kept from being too long.
Node* source_of(Node* node) {
  while (true) {
    if (IsA(node, RelabelType)) {
      node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    } else if (IsA(node, FuncExpr) && meaning_of(castNode(FuncExpr, node)->funcid) == Meaning::capped) {
      node = static_cast<Node*>(linitial(castNode(FuncExpr, node)->args));
    } else {
      return node;
    }
  }
}

bool tells(Node* node, void* context);

// Whether the text is a citext column, or chosen from some without telling apart what is equal but for the case.
bool is_handed_on(Node* node) {
  node = source_of(node);
  if (IsA(node, Var)) return true;
  List* chosen = NIL;
  if (IsA(node, CoalesceExpr)) {
    chosen = castNode(CoalesceExpr, node)->args;
  } else if (IsA(node, CaseExpr)) {
    const auto* const choice = castNode(CaseExpr, node);
    if (tells(reinterpret_cast<Node*>(choice->arg), nullptr)) return false;
    chosen = list_make1(choice->defresult);
    ListCell* when;
    foreach (when, choice->args) {
      if (tells(reinterpret_cast<Node*>(lfirst_node(CaseWhen, when)->expr), nullptr)) return false;
      chosen = lappend(chosen, lfirst_node(CaseWhen, when)->result);
    }
  }
  ListCell* cell;
  foreach (cell, chosen) {
    if (!is_handed_on(static_cast<Node*>(lfirst(cell)))) return false;
  }
  return chosen != NIL || !tells(node, nullptr);
}

bool tells(Node* node, void* context) {
  if (node == nullptr) return false;
  if (IsA(node, Var)) return ignores_case(exprType(node));
  if (IsA(node, NullTest) && IsA(source_of(reinterpret_cast<Node*>(castNode(NullTest, node)->arg)), Var)) return false;
  const auto [meaning, arguments] = computation_of(node);
  const bool ignores = meaning == Meaning::change_case || is_match_ignoring_case(node);
  if (!ignores || !is_handed_on(static_cast<Node*>(linitial(arguments)))) return pg::walk(node, tells, context);
  return list_length(arguments) > 1 && tells(static_cast<Node*>(lsecond(arguments)), context);
}

}  // namespace

bool tells_cases_apart(Node* form) { return tells(form, nullptr); }

}  // namespace dp::guard
