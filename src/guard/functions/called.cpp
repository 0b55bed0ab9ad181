#include "guard/functions/called.h"

namespace dp::guard {

CalledFunction called_by(Node* node) {
  switch (nodeTag(node)) {
    case T_FuncExpr:
      return {castNode(FuncExpr, node)->funcid, castNode(FuncExpr, node)->args};
    case T_OpExpr:
    case T_DistinctExpr:
    case T_NullIfExpr: {
      auto* const op = reinterpret_cast<OpExpr*>(node);
      set_opfuncid(op);
      return {op->opfuncid, op->args};
    }
    case T_ScalarArrayOpExpr: {
      auto* const op = castNode(ScalarArrayOpExpr, node);
      set_sa_opfuncid(op);
      return {op->opfuncid, op->args};
    }
    default:
      return {InvalidOid, NIL};
  }
}

}  // namespace dp::guard
