#include "guard/rewrite/unread_ctes.h"

#include "pg/walk.h"

namespace dp::guard {
namespace {

bool leave_out(Node* node, void* nothing) {
  if (node == nullptr) return false;
  if (!IsA(node, Query)) return pg::walk(node, leave_out, nothing);
  auto* const query = castNode(Query, node);
  ListCell* cell;
  foreach (cell, query->cteList) {
    const auto* const cte = lfirst_node(CommonTableExpr, cell);
    if (cte->cterefcount == 0 && castNode(Query, cte->ctequery)->commandType == CMD_SELECT)
      query->cteList = foreach_delete_current(query->cteList, cell);
  }
  return pg::walk_query(query, leave_out, nothing, 0);
}

}  // namespace

void leave_out_unread_ctes(Query* statement) { leave_out(reinterpret_cast<Node*>(statement), nullptr); }

}  // namespace dp::guard
