// Nodes of expressions, clauses and queries that are made more than once, and arrays taken apart.
#pragma once

#include "pg/planner.h"

namespace dp::pg {

inline Const* int4_constant(int32 value) {
  return makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(value), false, true);
}

inline Const* int8_constant(int64 value) {
  return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false, FLOAT8PASSBYVAL);
}

inline Const* float8_constant(double value) {
  return makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value), false, FLOAT8PASSBYVAL);
}

inline Const* text_constant(const char* value) {
  return makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(value), false, false);
}

// NULL in the type of a value.
inline Expr* null_like(const void* value) {
  const auto* const like = static_cast<const Node*>(value);
  return reinterpret_cast<Expr*>(makeNullConst(exprType(like), exprTypmod(like), exprCollation(like)));
}

inline Node* null_test(void* value, NullTestType test) {
  auto* const made = makeNode(NullTest);
  made->arg = static_cast<Expr*>(value);
  made->nulltesttype = test;
  made->location = -1;
  return reinterpret_cast<Node*>(made);
}

inline Node* is_null(void* value) { return null_test(value, IS_NULL); }
inline Node* is_not_null(void* value) { return null_test(value, IS_NOT_NULL); }

// WHEN condition THEN value
inline CaseWhen* when(void* condition, void* value) {
  auto* const made = makeNode(CaseWhen);
  made->expr = static_cast<Expr*>(condition);
  made->result = static_cast<Expr*>(value);
  made->location = -1;
  return made;
}

// CASE WHEN ... ELSE otherwise END, in the type of the first value. `arms`: CaseWhen.
inline Node* case_of(List* arms, void* otherwise, int location = -1) {
  auto* const value = reinterpret_cast<Node*>(linitial_node(CaseWhen, arms)->result);
  auto* const made = makeNode(CaseExpr);
  made->casetype = exprType(value);
  made->casecollid = exprCollation(value);
  made->args = arms;
  made->defresult = static_cast<Expr*>(otherwise);
  made->location = location;
  return reinterpret_cast<Node*>(made);
}

// CASE WHEN condition THEN value ELSE otherwise END
inline Node* case_when(void* condition, void* value, void* otherwise, int location = -1) {
  return case_of(list_make1(when(condition, value)), otherwise, location);
}

struct ArrayElements {
  Oid type;
  int16 length;
  bool by_value;
  Datum* values;
  bool* nulls;
  int count;
};

inline ArrayElements taken_apart(ArrayType* array) {
  ArrayElements elements{};
  elements.type = ARR_ELEMTYPE(array);
  char alignment;
  get_typlenbyvalalign(elements.type, &elements.length, &elements.by_value, &alignment);
  deconstruct_array(array, elements.type, elements.length, elements.by_value, alignment, &elements.values,
                    &elements.nulls, &elements.count);
  return elements;
}

// The elements (Const) of an array that is not NULL.
inline List* elements_of(const Const* array) {
  const ArrayElements elements = taken_apart(DatumGetArrayTypeP(array->constvalue));
  List* found = NIL;
  for (int i = 0; i < elements.count; ++i)
    found = lappend(found, makeConst(elements.type, -1, array->constcollid, elements.length, elements.values[i],
                                     elements.nulls[i], elements.by_value));
  return found;
}

// SELECT, without columns and tables yet.
inline Query* empty_select() {
  auto* const query = makeNode(Query);
  query->commandType = CMD_SELECT;
  query->querySource = QSRC_ORIGINAL;
  query->canSetTag = true;
  query->jointree = makeFromExpr(NIL, nullptr);
  return query;
}

// SELECT FROM the entry alone, without columns yet.
inline Query* select_from(RangeTblEntry* entry) {
  Query* const query = empty_select();
  query->rtable = list_make1(entry);
  auto* const reference = makeNode(RangeTblRef);
  reference->rtindex = 1;
  query->jointree->fromlist = list_make1(reference);
  return query;
}

// SELECT * FROM the entry, with its columns in their places.
inline Query* select_all_from(RangeTblEntry* entry) {
  Query* const query = select_from(entry);
  List *names, *columns;
  columns_of(entry, 1, &names, &columns);
  ListCell *name, *column;
  forboth(name, names, column, columns) {
    const auto number = static_cast<AttrNumber>(foreach_current_index(name) + 1);
    query->targetList = lappend(query->targetList, makeTargetEntry(static_cast<Expr*>(lfirst(column)), number,
                                                                   pstrdup(strVal(lfirst(name))), false));
  }
  return query;
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
