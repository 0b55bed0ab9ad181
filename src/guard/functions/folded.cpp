#include "guard/functions/folded.h"

#include "pg/walk.h"
#include "total_functions/registry.h"

namespace dp::guard {
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

}  // namespace dp::guard
