// Nodes of expressions and clauses that are made more than once.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

inline Const* int8_constant(int64 value) {
  return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

// Makes the clause sort by the order of the type, of which the operators are looked up, NULLs last; since 18 it says
// twice in which direction.
inline void order_by(SortGroupClause* clause, const TypeCacheEntry* type, bool descending) {
  clause->eqop = type->eq_opr;
  clause->sortop = descending ? type->gt_opr : type->lt_opr;
  clause->nulls_first = false;
#if PG_VERSION_NUM >= 180000
  clause->reverse_sort = descending;
#endif
}

// Whether rows are compared by < or <=.
inline bool is_less(const RowCompareExpr* rows) {
#if PG_VERSION_NUM >= 180000
  return rows->cmptype == COMPARE_LT || rows->cmptype == COMPARE_LE;
#else
  return rows->rctype == ROWCOMPARE_LT || rows->rctype == ROWCOMPARE_LE;
#endif
}

}  // namespace dp::pg
