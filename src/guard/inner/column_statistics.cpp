#include "guard/inner/column_statistics.h"

namespace dp::guard {

bool find_statistics(const RangeTblEntry* table, AttrNumber column, VariableStatData* found) {
  if (table->rtekind != RTE_RELATION || table->securityQuals != NIL) return false;
  found->statsTuple =
      SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(table->relid), Int16GetDatum(column), BoolGetDatum(table->inh));
  found->freefunc = ReleaseSysCache;
  found->acl_ok = true;
  return true;
}

}  // namespace dp::guard
