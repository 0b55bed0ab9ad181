// The rows of one of the extension's own tables, found by the Oids that its primary key begins with.
//
// Without any privilege of the asking role. A table that is written to stays locked until the end of the transaction;
// the next command sees what was written. Where the index is missing this is slow and not wrong.
#pragma once

#include <array>
#include <span>

#include "budget/catalog/known_rows.h"
#include "pg/access.h"

namespace dp::budget {

// Calls visit(table, row) on those rows, until it returns false.
template <class Visit>
void visit_rows(Oid table_id, std::span<const Oid> key, LOCKMODE lock, Visit visit) {
  std::array<ScanKeyData, 2> scan_key;
  for (std::size_t i = 0; i < key.size(); ++i) {
    ScanKeyInit(&scan_key.at(i), static_cast<AttrNumber>(i + 1), BTEqualStrategyNumber, F_OIDEQ,
                ObjectIdGetDatum(key[i]));
  }
  Relation const table = table_open(table_id, lock);
  const Oid index = pg::primary_key_index(table);
  SysScanDesc const scan = systable_beginscan(table, index, OidIsValid(index) && !key.empty(), nullptr,
                                              static_cast<int>(key.size()), scan_key.data());
  for (HeapTuple row = systable_getnext(scan); HeapTupleIsValid(row) && visit(table, row);)
    row = systable_getnext(scan);
  systable_endscan(scan);
  table_close(table, lock == AccessShareLock ? lock : NoLock);
}

inline bool all_rows(Relation, HeapTuple) { return true; }

// Deletes those of these rows for which chosen(table, row); whether there was one.
template <class Chosen>
bool remove_rows(Oid table_id, std::span<const Oid> key, Chosen chosen) {
  bool removed = false;
  visit_rows(table_id, key, RowExclusiveLock, [&](Relation table, HeapTuple row) {
    if (!chosen(table, row)) return true;
    CatalogTupleDelete(table, &row->t_self);
    rows_changed(table);
    return removed = true;
  });
  CommandCounterIncrement();
  return removed;
}

// Callers hold a lock on the protected table, so that no two store the same key at once.
inline void insert_row(Oid table_id, Datum* values, bool* nulls) {
  Relation const table = table_open(table_id, RowExclusiveLock);
  CatalogTupleInsert(table, heap_form_tuple(RelationGetDescr(table), values, nulls));
  rows_changed(table);
  table_close(table, NoLock);
  CommandCounterIncrement();
}

}  // namespace dp::budget
