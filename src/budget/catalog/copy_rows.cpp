#include "budget/catalog/copy_rows.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/own_rows.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kCopy, kRelation, kColumns };

void remove_copy(Oid copy) { remove_rows(own_tables().public_copy, {&copy, 1}, all_rows); }

Oid number_in(Relation table, HeapTuple row, Column column) {
  bool null;
  return DatumGetObjectId(heap_getattr(row, column + 1, RelationGetDescr(table), &null));
}

}  // namespace

Oid original_of(Oid copy) {
  Oid found = InvalidOid;
  const Tables* const own = tables();
  if (own == nullptr) return found;
  visit_rows(own->public_copy, {&copy, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    found = number_in(table, row, kRelation);
    return false;
  });
  return found;
}

List* copies_of(Oid relation) {
  List* found = NIL;
  visit_rows(own_tables().public_copy, {}, AccessShareLock, [&](Relation table, HeapTuple row) {
    if (number_in(table, row, kRelation) == relation) found = lappend_oid(found, number_in(table, row, kCopy));
    return true;
  });
  return found;
}

void add_copy(Oid relation, Oid copy) {
  remove_copy(copy);
  Datum values[kColumns] = {ObjectIdGetDatum(copy), ObjectIdGetDatum(relation)};
  bool nulls[kColumns] = {};
  insert_row(own_tables().public_copy, values, nulls);
}

void remove_copies(Oid relation) {
  remove_rows(own_tables().public_copy, {},
              [&](Relation table, HeapTuple row) { return number_in(table, row, kRelation) == relation; });
}

void forget_copies_of_dropped(Oid relation) {
  if (tables() == nullptr) return;
  if (OidIsValid(original_of(relation))) remove_copy(relation);
  if (copies_of(relation) != NIL) remove_copies(relation);
}

}  // namespace dp::budget
