#include "guard/admission/harmless.h"

#include "guard/admission/objects.h"
#include "guard/admission/plain_types.h"
#include "guard/admission/values.h"
#include "guard/functions/function_facts.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Only built-in functions and ours are harmless, and functions that are not immutable only over plain types: a user's
// function could tell by a notice or a write that it was reached, and some of PostgreSQL's own read tables. Nor may a
// function make a text of bytes that are invalid in the encoding: other functions would fail on it once a row gets
// there.
bool is_harmful(Oid function, void*) {
  if (!is_pinned_or_ours(ProcedureRelationId, function) || function == F_BPCHAR_CHAR) return true;
  if (function >= FirstUnpinnedObjectId || func_volatile(function) == PROVOLATILE_IMMUTABLE) return false;
  Oid* types;
  int count;
  bool plain = is_plain(get_func_signature(function, &types, &count));
  for (int i = 0; i < count; ++i) plain = plain && is_plain(types[i]);
  return !plain;
}

// Whether the node calls a function that prints whatever it is given, with values whose output functions are
// PostgreSQL's own: harmless.
bool is_of_plain_values(Node* node) {
  const auto [function, arguments] = called_by(node);
  if (const FunctionFacts* const facts = facts_of(function); facts == nullptr || !facts->prints) return false;
  if (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcvariadic) return false;
  ListCell* cell;
  foreach (cell, arguments) {
    const Oid type = exprType(static_cast<Node*>(lfirst(cell)));
    if (!is_plain(type) && type != UUIDOID && type != UNKNOWNOID && type != JSONBOID && type != JSONOID &&
        !type_is_enum(type))
      return false;
  }
  return true;
}

// Operators are judged by their own OID, not by their function: folding constants may replace an operator by its
// negator.
bool is_foreign_operator(const Node* node) {
  const Oid op = operator_of(node);
  return OidIsValid(op) && !is_admitted_operator(op);
}

bool is_harmful_node(Node* node, void* context) {
  if (node == nullptr) return false;
  if (!kind_of_node(node).harmless || is_foreign_operator(node)) return true;
  // Casts by input and output functions are harmless between plain types. Others are judged by these functions; those
  // of dp_mechanism are ours.
  const bool casts = IsA(node, CoerceViaIO) && is_plain(exprType(node)) &&
                     is_plain(exprType(reinterpret_cast<Node*>(castNode(CoerceViaIO, node)->arg)));
  if (!casts && !is_of_plain_values(node) && check_functions_in_node(node, is_harmful, context)) return true;
  return pg::walk(node, is_harmful_node, context);
}

}  // namespace

bool calls_harmful(Node* expression) { return is_harmful_node(expression, nullptr); }

}  // namespace dp::guard
