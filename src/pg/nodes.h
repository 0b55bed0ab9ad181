// Nodes of expressions that are made more than once.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

inline Const* int8_constant(int64 value) {
  return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

}  // namespace dp::pg
