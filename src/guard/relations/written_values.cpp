#include "guard/relations/written_values.h"

#include "guard/admission/harmless.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The one value of a query that does nothing but compute it; nullptr for others.
Node* value_of(const Query* query) {
  const bool alone = query->commandType == CMD_SELECT && query->rtable == NIL && query->cteList == NIL &&
                     query->jointree->fromlist == NIL && query->jointree->quals == nullptr &&
                     query->havingQual == nullptr && query->setOperations == nullptr && query->groupClause == NIL &&
                     query->groupingSets == NIL && query->limitCount == nullptr && query->limitOffset == nullptr &&
                     !query->hasAggs && !query->hasWindowFuncs && !query->hasTargetSRFs;
  if (!alone || list_length(query->targetList) != 1) return nullptr;
  return reinterpret_cast<Node*>(linitial_node(TargetEntry, query->targetList)->expr);
}

Node* put_values(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, SubLink) || castNode(SubLink, node)->subLinkType != EXPR_SUBLINK)
    return pg::mutate(node, put_values, nullptr);
  Node* const written = value_of(castNode(Query, castNode(SubLink, node)->subselect));
  if (written == nullptr) return node;
  Node* const value = put_values(static_cast<Node*>(copyObjectImpl(written)), nullptr);
  if (checkExprHasSubLink(value) || contain_volatile_functions(value) || calls_harmful(value)) return node;
  return one_level_up(value);
}

}  // namespace

Node* with_written_values(Node* condition) { return put_values(condition, nullptr); }

}  // namespace dp::guard
