#include "guard/inner/quiet.h"

#include "guard/admission/objects.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

bool is_loud(Oid function, void*) {
  return !is_pinned_or_ours(ProcedureRelationId, function) || func_volatile(function) == PROVOLATILE_VOLATILE;
}

// Conditions of a domain may be anybody's functions, a sample is another one each time, and our aggregates draw noise.
bool is_loud_kind(const Node* node) {
  return IsA(node, CoerceToDomain) || IsA(node, NextValueExpr) || IsA(node, TableSampleClause) ||
         (IsA(node, Aggref) && reinterpret_cast<const Aggref*>(node)->aggfnoid >= FirstNormalObjectId);
}

bool finds_loud(Node* node, void* inner_queries) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) {
    auto* const query = castNode(Query, node);
    if (static_cast<const InnerQueries*>(inner_queries)->find(query) != nullptr) return false;
    if (query->commandType != CMD_SELECT || query->rowMarks != NIL) return true;
    return pg::walk_query(query, finds_loud, inner_queries, 0);
  }
  if (is_loud_kind(node) || check_functions_in_node(node, is_loud, nullptr)) return true;
  return pg::walk(node, finds_loud, inner_queries);
}

}  // namespace

bool is_quiet(Node* part, const InnerQueries& inner_queries) {
  return !finds_loud(part, const_cast<InnerQueries*>(&inner_queries));
}

}  // namespace dp::guard
