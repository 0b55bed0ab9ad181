#include "guard/admission/expression_size.h"

#include "guard/admission/refusal.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

struct Count {
  ExpressionSize size;
  bool in_constants;
  Index depth;  // of the query around the node, below the expression
  SizeOfColumn of_column;
  void* context;
};

bool count(Node* node, void* opaque) {
  if (node == nullptr) return false;
  auto* const counted = static_cast<Count*>(opaque);
  if (IsA(node, Query)) {
    ++counted->depth;
    const bool stops = pg::walk_query(castNode(Query, node), count, opaque, 0);
    --counted->depth;
    return stops;
  }
  if (IsA(node, Var) && counted->of_column != nullptr && castNode(Var, node)->varlevelsup == counted->depth) {
    counted->size += counted->of_column(castNode(Var, node), counted->context);
    return counted->size.too_large();
  }
  counted->size += {counted->in_constants ? 0 : 1, 1};
  if (counted->size.too_large()) return true;
  if (!IsA(node, ArrayExpr) || counted->in_constants || contain_var_clause(node)) {
    return pg::walk(node, count, opaque);
  }
  counted->in_constants = true;
  const bool stops = pg::walk(node, count, opaque);
  counted->in_constants = false;
  return stops;
}

}  // namespace

ExpressionSize size_of(Node* expression, SizeOfColumn of_column, void* context) {
  Count counted{{}, false, 0, of_column, context};
  count(expression, &counted);
  return counted.size;
}

void refuse_size(const ExpressionSize& size, const char* place, int location) {
  if (size.parts > ExpressionSize::kMostParts) {
    DP_REFUSE(location, errmsg("%s of a private query has more than %d parts", place, ExpressionSize::kMostParts),
              errhint("Compare with a list in place of many conditions: x = ANY ($1)."));
  }
  DP_REFUSE(location,
            errmsg("the expressions of a private query have more than %d parts together", ExpressionSize::kMostNodes),
            errhint("Ask for less at once; a column of a subquery counts wherever it is named."));
  pg_unreachable();
}

}  // namespace dp::guard
