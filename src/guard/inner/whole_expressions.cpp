#include "guard/inner/whole_expressions.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Following {
  const Plan* node;  // whose expression it is
  int* steps_left;
};

// The nodes that one of a node's columns can come from.
List* nodes_below(const Plan* node, int side) {
  const Plan* const child = side == INNER_VAR ? innerPlan(node) : outerPlan(node);
  if (child != nullptr) return list_make1(const_cast<Plan*>(child));
  if (IsA(node, Append)) return reinterpret_cast<const Append*>(node)->appendplans;
  return IsA(node, MergeAppend) ? reinterpret_cast<const MergeAppend*>(node)->mergeplans : NIL;
}

Node* follow(Node* node, void* opaque);

// nullptr where it cannot be followed, or is a table's column: that tells no more than what it was followed from.
Node* computed(List* columns, const Var* column, Following in) {
  const TargetEntry* const entry = get_tle_by_resno(columns, column->varattno);
  auto* const source = entry == nullptr ? nullptr : reinterpret_cast<Node*>(entry->expr);
  if (source == nullptr || exprType(source) != column->vartype) return nullptr;
  if (IsA(source, Var) && !IS_SPECIAL_VARNO(castNode(Var, source)->varno)) return nullptr;
  return follow(source, &in);
}

Node* source_of(const Var* column, const Following& at) {
  if (column->varno == INDEX_VAR) {
    if (!IsA(at.node, IndexOnlyScan)) return nullptr;
    return computed(reinterpret_cast<const IndexOnlyScan*>(at.node)->indextlist, column, at);
  }
  if (column->varno != OUTER_VAR && column->varno != INNER_VAR) return nullptr;
  List* sources = NIL;
  ListCell* cell;
  foreach (cell, nodes_below(at.node, column->varno)) {
    const auto* const below = static_cast<const Plan*>(lfirst(cell));
    Node* const source = computed(below->targetlist, column, {below, at.steps_left});
    if (source == nullptr) return nullptr;
    sources = lappend(sources, source);
  }
  if (list_length(sources) < 2) return sources == NIL ? nullptr : static_cast<Node*>(linitial(sources));
  auto* const one_of = makeNode(CoalesceExpr);
  one_of->coalescetype = column->vartype;
  one_of->coalescecollid = column->varcollid;
  one_of->args = sources;
  one_of->location = -1;
  return reinterpret_cast<Node*>(one_of);
}

Node* follow(Node* node, void* opaque) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Var)) return pg::mutate(node, follow, opaque);
  const auto& at = *static_cast<Following*>(opaque);
  const auto* const column = castNode(Var, node);
  Node* const source = --*at.steps_left < 0 ? nullptr : source_of(column, at);
  return source == nullptr ? static_cast<Node*>(copyObjectImpl(node)) : source;
}

}  // namespace

List* with_columns_of_below(List* expressions, const Plan* node) {
  int steps_left = 200'000;
  Following at{node, &steps_left};
  return reinterpret_cast<List*>(follow(reinterpret_cast<Node*>(expressions), &at));
}

}  // namespace dp::guard
