#include "budget/catalog/colocated_rows.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/own_rows.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kFirst, kSpread, kColumns };

Oid number_in(Relation table, HeapTuple row, Column column) {
  bool null;
  return DatumGetObjectId(heap_getattr(row, column + 1, RelationGetDescr(table), &null));
}

// The table that stands for all of which it was said together; InvalidOid: of that one nothing was.
Oid first_of(Oid relation) {
  Oid found = InvalidOid;
  visit_rows(own_tables().colocated, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    found = number_in(table, row, kFirst);
    return false;
  });
  return found;
}

}  // namespace

bool are_declared_colocated(Oid one, Oid other) {
  const Oid first = first_of(one);
  return OidIsValid(first) && first == first_of(other);
}

List* colocated_with(Oid relation) {
  List* found = NIL;
  const Oid first = first_of(relation);
  if (!OidIsValid(first)) return found;
  visit_rows(own_tables().colocated, {}, AccessShareLock, [&](Relation table, HeapTuple row) {
    if (number_in(table, row, kFirst) == first) found = lappend_oid(found, number_in(table, row, kRelation));
    return true;
  });
  return found;
}

bool is_spread(Oid relation) {
  bool spread = false;
  visit_rows(own_tables().colocated, {&relation, 1}, AccessShareLock, [&](Relation table, HeapTuple row) {
    bool null;
    spread = DatumGetBool(heap_getattr(row, kSpread + 1, RelationGetDescr(table), &null));
    return false;
  });
  return spread;
}

void add_colocated(Oid relation, Oid first, bool spread) {
  Datum values[kColumns] = {ObjectIdGetDatum(relation), ObjectIdGetDatum(first), BoolGetDatum(spread)};
  bool nulls[kColumns] = {};
  insert_row(own_tables().colocated, values, nulls);
}

void remove_colocated(Oid relation) {
  remove_rows(own_tables().colocated, {}, [&](Relation table, HeapTuple row) {
    return number_in(table, row, kRelation) == relation || number_in(table, row, kFirst) == relation;
  });
}

void forget_colocation_of_dropped(Oid relation) {
  if (tables() != nullptr && OidIsValid(first_of(relation))) remove_colocated(relation);
}

}  // namespace dp::budget
