#include "budget/catalog/joined_tables.h"

namespace dp::budget {

List* joined_tables(const NumberedRows& row, int first, int partners) {
  List* const tables = list_make1_oid(DatumGetObjectId(row.value(first)));
  return row.is_null(partners) ? tables : list_concat(tables, tables_of(row.value(partners)));
}

List* tables_of(Datum array) {
  List* tables = NIL;
  Datum* elements;
  int count;
  deconstruct_array(DatumGetArrayTypeP(array), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT, &elements, nullptr,
                    &count);
  for (int i = 0; i < count; ++i) tables = lappend_oid(tables, DatumGetObjectId(elements[i]));
  return tables;
}

Datum partners_datum(List* partners) {
  auto* const elements = static_cast<Datum*>(palloc(sizeof(Datum) * static_cast<Size>(list_length(partners))));
  ListCell* cell;
  foreach (cell, partners) elements[foreach_current_index(cell)] = ObjectIdGetDatum(lfirst_oid(cell));
  return PointerGetDatum(
      construct_array(elements, list_length(partners), REGCLASSOID, sizeof(Oid), true, TYPALIGN_INT));
}

}  // namespace dp::budget
