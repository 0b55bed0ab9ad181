#include "guard/functions/constants.h"

namespace dp::guard {

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
