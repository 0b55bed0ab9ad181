#include "guard/admission/refusal.h"

#include "aggregate/call/find_aggregate.h"
#include "aggregate/call/prepare_plan.h"
#include "aggregate/call/settings.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Epsilon is the last float8 among the arguments of every private aggregate that has all of its parameters.
const Const* epsilon_of(const Aggref* aggregate) {
  const Const* epsilon = nullptr;
  ListCell* cell;
  foreach (cell, aggregate->args) {
    auto* const argument = lfirst_node(TargetEntry, cell)->expr;
    if (foreach_current_index(cell) == 0 || exprType(reinterpret_cast<Node*>(argument)) != FLOAT8OID) continue;
    Node* const value = eval_const_expressions(nullptr, reinterpret_cast<Node*>(argument));
    epsilon = IsA(value, Const) && !castNode(Const, value)->constisnull ? castNode(Const, value) : nullptr;
  }
  return epsilon;
}

bool find_epsilon(Node* node, void* found) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) {
    return pg::walk_query(castNode(Query, node), find_epsilon, found, 0);
  }
  if (IsA(node, Aggref) && aggregate::is_private_aggregate(castNode(Aggref, node)->aggfnoid) &&
      !aggregate::is_incomplete(castNode(Aggref, node)->aggfnoid)) {
    const Const* const epsilon = epsilon_of(castNode(Aggref, node));
    *static_cast<const Const**>(found) = epsilon;
    return epsilon != nullptr;
  }
  return pg::walk(node, find_epsilon, found);
}

}  // namespace

const char* example_epsilon() {
  const Const* epsilon = nullptr;
  find_epsilon(reinterpret_cast<Node*>(const_cast<Query*>(refused_statement.query)), &epsilon);
  if (epsilon != nullptr) return DatumGetCString(DirectFunctionCall1(float8out, epsilon->constvalue));
  const double of_session = aggregate::epsilon_setting();
  return of_session > 0 ? DatumGetCString(DirectFunctionCall1(float8out, Float8GetDatum(of_session))) : "0.5";
}

int point_at(int location) {
  if (location < 0 || refused_statement.text == nullptr) return 0;
  const int position = pg_mbstrlen_with_len(refused_statement.text, location) + 1;
  // Clients count positions in the text that they sent. The text of a prepared statement or a function has to be shown
  // with the error.
  if (debug_query_string != nullptr && strcmp(refused_statement.text, debug_query_string) == 0)
    return errposition(position);
  internalerrposition(position);
  return internalerrquery(refused_statement.text);
}

}  // namespace dp::guard
