#include "budget/catalog/range_rows.h"

#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "pg/access.h"

namespace dp::budget {
namespace {

enum Column : std::uint8_t { kRelation, kColumn, kType, kLower, kUpper, kColumns };

// Calls visit(table, tuple, values) on the rows of a relation, or on the one of that column.
template <class Visit>
void visit_rows(Oid relation, const char* column, LOCKMODE lock, Visit visit) {
  Relation const table = table_open(own_tables().declared_range, lock);
  ScanKeyData key;
  ScanKeyInit(&key, kRelation + 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relation));
  const Oid index = pg::primary_key_index(table);
  SysScanDesc const scan = systable_beginscan(table, index, OidIsValid(index), nullptr, 1, &key);
  for (HeapTuple row; HeapTupleIsValid(row = systable_getnext(scan));) {
    Datum values[kColumns];
    bool nulls[kColumns];
    heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
    if (column == nullptr || strcmp(NameStr(*DatumGetName(values[kColumn])), column) == 0) visit(table, row, values);
  }
  systable_endscan(scan);
  table_close(table, lock == AccessShareLock
                         ? lock
                         : NoLock);  // what was written stays locked until the end of the transaction
}

bool remove(Oid relation, const char* column) {
  bool removed = false;
  visit_rows(relation, column, RowExclusiveLock, [&](Relation table, HeapTuple row, const Datum*) {
    CatalogTupleDelete(table, &row->t_self);
    removed = true;
  });
  CommandCounterIncrement();
  return removed;
}

}  // namespace

std::optional<DeclaredRange> declared_range(Oid relation, const char* column) {
  std::optional<DeclaredRange> range;
  if (tables() == nullptr) return range;
  visit_rows(relation, column, AccessShareLock, [&](Relation, HeapTuple, const Datum* values) {
    range = {DatumGetObjectId(values[kType]), TextDatumGetCString(values[kLower]), TextDatumGetCString(values[kUpper])};
  });
  return range;
}

// Callers hold a lock on the protected table, so that no two store the same key at once.
void store_declared_range(Oid relation, const char* column, const DeclaredRange& range) {
  remove(relation, column);
  Relation const table = table_open(own_tables().declared_range, RowExclusiveLock);
  NameData name;
  namestrcpy(&name, column);
  Datum values[] = {ObjectIdGetDatum(relation), NameGetDatum(&name), ObjectIdGetDatum(range.type),
                    CStringGetTextDatum(range.lower), CStringGetTextDatum(range.upper)};
  bool nulls[kColumns] = {};
  CatalogTupleInsert(table, heap_form_tuple(RelationGetDescr(table), values, nulls));
  table_close(table, NoLock);
  CommandCounterIncrement();
}

bool remove_declared_range(Oid relation, const char* column) { return remove(relation, column); }

void remove_declared_ranges(Oid relation) { remove(relation, nullptr); }

}  // namespace dp::budget
