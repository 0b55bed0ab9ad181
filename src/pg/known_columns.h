// Columns that conditions leave no NULL of.
#pragma once

#include "pg/planner.h"

#if PG_VERSION_NUM >= 160000
extern "C" {
#include "access/sysattr.h"
#include "nodes/multibitmapset.h"
}
#endif

namespace dp::pg {

// Whether the column is not NULL in a row of which all conditions of the list hold.
inline bool is_known_by(const Var* column, List* conditions) {
  List* const known = find_nonnullable_vars(reinterpret_cast<Node*>(conditions));
#if PG_VERSION_NUM >= 160000
  return mbms_is_member(static_cast<int>(column->varno), column->varattno - FirstLowInvalidHeapAttributeNumber, known);
#else
  return list_member(known, column);
#endif
}

}  // namespace dp::pg
