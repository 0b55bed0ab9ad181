#include "guard/forms/one_case.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/values.h"
#include "guard/forms/extension_functions.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
namespace {

constexpr Oid kMatches[] = {F_TEXTICLIKE, F_TEXTICNLIKE, F_TEXTICREGEXEQ, F_TEXTICREGEXNE};
constexpr Oid kLetters[] = {F_LOWER_TEXT, F_UPPER_TEXT, F_INITCAP};

template <std::size_t size>
bool is_one_of(Oid function, const Oid (&functions)[size]) {
  return std::ranges::find(functions, function) != std::end(functions);
}

// The column whose text it is, also where that is kept from being too long.
Node* source_of(Node* node) {
  while (true) {
    if (IsA(node, RelabelType)) {
      node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
    } else if (IsA(node, FuncExpr) && list_length(castNode(FuncExpr, node)->args) == 1 &&
               total::is_total(castNode(FuncExpr, node)->funcid) &&
               strcmp(get_func_name(castNode(FuncExpr, node)->funcid), "capped") == 0) {
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
  const auto [function, arguments] = called_by(node);
  const bool ignores = is_one_of(function, kLetters) || is_match_ignoring_case(node);
  if (!ignores || !is_handed_on(static_cast<Node*>(linitial(arguments)))) return pg::walk(node, tells, context);
  return list_length(arguments) > 1 && tells(static_cast<Node*>(lsecond(arguments)), context);
}

}  // namespace

bool is_match_ignoring_case(Node* node) { return is_one_of(called_by(node).function, kMatches); }

bool tells_cases_apart(Node* form) { return tells(form, nullptr); }

}  // namespace dp::guard
