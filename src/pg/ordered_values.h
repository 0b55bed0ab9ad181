// Values of one type, ascending in the order of its comparison.
#pragma once

#include "pg/server.h"

namespace dp::pg {

// The place of what equals the value there, from 0 on; -1 where nothing does.
inline int find_ordered(const Datum* values, int size, const FmgrInfo& compare, Oid collation, Datum value) {
  int low = 0, high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int order =
        DatumGetInt32(FunctionCall2Coll(const_cast<FmgrInfo*>(&compare), collation, values[middle], value));
    if (order == 0) return middle;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return -1;
}

}  // namespace dp::pg
