#include "budget/catalog/dropped_rows.h"

#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "pg/access.h"

namespace dp::budget {
namespace {

// Calls visit(table, row) where there is such a note, under that lock, which is kept.
template <class Visit>
bool visit_note(DroppedKind kind, Oid number, LOCKMODE lock, Visit visit) {
  Relation const table = table_open(own_tables().dropped_object, lock);
  ScanKeyData keys[2];
  ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(number));
  ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_BOOLEQ, BoolGetDatum(kind == DroppedKind::role));
  SysScanDesc const scan = systable_beginscan(table, pg::primary_key_index(table), true, nullptr, 2, keys);
  HeapTuple const row = systable_getnext(scan);
  const bool found = HeapTupleIsValid(row);
  if (found) visit(table, row);
  systable_endscan(scan);
  table_close(table, NoLock);
  return found;
}

Oid owner_of(Oid relation) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
  if (!HeapTupleIsValid(row)) return InvalidOid;
  const Oid owner = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relowner;
  ReleaseSysCache(row);
  return owner;
}

}  // namespace

Oid owner_before_drop(Oid relation) {
  constexpr int kOwner = 3;
  Oid owner = InvalidOid;
  visit_note(DroppedKind::table, relation, AccessShareLock, [&](Relation table, HeapTuple row) {
    bool null;
    const Datum value = heap_getattr(row, kOwner, RelationGetDescr(table), &null);
    if (!null) owner = DatumGetObjectId(value);
  });
  return owner;
}

bool is_noted_dropped(DroppedKind kind, Oid number) {
  return visit_note(kind, number, AccessShareLock, [](Relation, HeapTuple) {});
}

void note_dropped(DroppedKind kind, Oid number) {
  if (is_noted_dropped(kind, number)) return;
  Relation const table = table_open(own_tables().dropped_object, RowExclusiveLock);
  const bool role = kind == DroppedKind::role;
  Datum values[] = {ObjectIdGetDatum(number), BoolGetDatum(role),
                    ObjectIdGetDatum(role ? InvalidOid : owner_of(number))};
  bool nulls[std::size(values)] = {false, false, role};
  CatalogTupleInsert(table, heap_form_tuple(RelationGetDescr(table), values, nulls));
  table_close(table, NoLock);
  CommandCounterIncrement();
}

bool take_dropped_note(DroppedKind kind, Oid number) {
  LockRelationOid(own_tables().dropped_object, ShareRowExclusiveLock);
  const bool taken = visit_note(kind, number, RowExclusiveLock,
                                [](Relation table, HeapTuple row) { CatalogTupleDelete(table, &row->t_self); });
  CommandCounterIncrement();
  return taken;
}

}  // namespace dp::budget
