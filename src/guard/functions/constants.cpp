#include "guard/functions/constants.h"

#include "guard/functions/node_kinds.h"
#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {

namespace {

struct Reads {
  bool tests_are_bound;  // what a CASE tests is not read from outside
};

bool reads(Node* node, void* context);

bool reads_within(Node* node, bool tests_are_bound) {
  Reads inner{tests_are_bound};
  return reads(node, &inner);
}

bool reads_case(const CaseExpr* choice, bool bound) {
  if (reads_within(reinterpret_cast<Node*>(choice->arg), bound)) return true;
  if (reads_within(reinterpret_cast<Node*>(choice->defresult), bound)) return true;
  ListCell* cell;
  foreach (cell, choice->args) {
    const auto* const when = lfirst_node(CaseWhen, cell);
    if (reads_within(reinterpret_cast<Node*>(when->expr), bound || choice->arg != nullptr)) return true;
    if (reads_within(reinterpret_cast<Node*>(when->result), bound)) return true;
  }
  return false;
}

bool reads(Node* node, void* context) {
  if (node == nullptr) return false;
  const bool bound = static_cast<Reads*>(context)->tests_are_bound;
  if (kind_of_node(node).of_rows) return true;
  if (IsA(node, CaseTestExpr)) return !bound;
  if (IsA(node, CaseExpr)) return reads_case(castNode(CaseExpr, node), bound);
  if (!IsA(node, ArrayCoerceExpr)) return pg::walk(node, reads, context);
  return reads_within(reinterpret_cast<Node*>(castNode(ArrayCoerceExpr, node)->arg), bound) ||
         reads_within(reinterpret_cast<Node*>(castNode(ArrayCoerceExpr, node)->elemexpr), true);
}

}  // namespace

bool reads_row_within(Node* expression) { return reads_within(expression, false); }

namespace {

bool is_of_somebody(Oid function, void*) { return function >= FirstGenbkiObjectId && !total::is_total(function); }

bool calls_somebody(Node* node, void*) {
  if (node == nullptr) return false;
  return check_functions_in_node(node, is_of_somebody, nullptr) || pg::walk(node, calls_somebody, nullptr);
}

}  // namespace

Node* folded(Node* expression) {
  return calls_somebody(expression, nullptr) ? expression : eval_const_expressions(nullptr, expression);
}

const Const* constant(List* arguments, int place) {
  auto* node = static_cast<Node*>(list_nth(arguments, place));
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return IsA(node, Const) ? castNode(Const, node) : nullptr;
}

int64 integer(const Const* value, int64 refused) {
  switch (value->consttype) {
    case INT2OID:
      return DatumGetInt16(value->constvalue);
    case INT4OID:
      return DatumGetInt32(value->constvalue);
    case INT8OID:
      return DatumGetInt64(value->constvalue);
    default:
      return refused;
  }
}

}  // namespace dp::guard
