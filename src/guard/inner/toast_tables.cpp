#include "guard/inner/toast_tables.h"

namespace dp::guard {
namespace {

// InvalidOid: it has none.
Oid toast_table_of(Oid table) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(row)) return InvalidOid;
  const Oid toast = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->reltoastrelid;
  ReleaseSysCache(row);
  return toast;
}

}  // namespace

void open_toast_tables(List* tables) {
  ListCell *cell, *index;
  foreach (cell, tables) {
    const Oid table = toast_table_of(lfirst_oid(cell));
    if (!OidIsValid(table)) continue;
    Relation const toast = table_open(table, AccessShareLock);
    foreach (index, RelationGetIndexList(toast)) index_close(index_open(lfirst_oid(index), AccessShareLock), NoLock);
    table_close(toast, NoLock);
  }
}

}  // namespace dp::guard
