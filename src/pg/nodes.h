// Nodes of expressions and clauses that are made more than once.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

inline Const* int8_constant(int64 value) {
  return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

// The elements (Const) of an array that is not NULL.
inline List* elements_of(const Const* array) {
  ArrayType* const values = DatumGetArrayTypeP(array->constvalue);
  const Oid type = ARR_ELEMTYPE(values);
  int16 length;
  bool by_value;
  char alignment;
  get_typlenbyvalalign(type, &length, &by_value, &alignment);
  Datum* elements;
  bool* nulls;
  int count;
  deconstruct_array(values, type, length, by_value, alignment, &elements, &nulls, &count);
  List* found = NIL;
  for (int i = 0; i < count; ++i)
    found = lappend(found, makeConst(type, -1, array->constcollid, length, elements[i], nulls[i], by_value));
  return found;
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
