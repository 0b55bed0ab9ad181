// Rows of PostgreSQL's own catalogs, as they are at this moment, whatever the snapshot of the transaction.
#pragma once

#include <initializer_list>

#include "pg/server.h"

namespace dp::pg {

// Which cache of catalog rows a function hears of.
#if PG_VERSION_NUM >= 190000
using CacheId = SysCacheIdentifier;
#else
using CacheId = int;
#endif

struct CatalogKey {
  AttrNumber column;
  Oid value;
};

// Calls visit(row, tuple) on the rows that have those numbers in the first columns of the index, in its order. Row:
// FormData_pg_...
template <class Row, class Visit>
void visit_catalog(Oid catalog, Oid index, std::initializer_list<CatalogKey> keys, Visit visit) {
  ScanKeyData scan_keys[INDEX_MAX_KEYS];
  int count = 0;
  for (const CatalogKey& key : keys) {
    ScanKeyInit(&scan_keys[count++], key.column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(key.value));
  }
  Relation const relation = table_open(catalog, AccessShareLock);
  SysScanDesc const scan = systable_beginscan(relation, index, OidIsValid(index), nullptr, count, scan_keys);
  for (HeapTuple tuple; HeapTupleIsValid(tuple = systable_getnext(scan));) {
    visit(*static_cast<const Row*>(static_cast<void*>(GETSTRUCT(tuple))), tuple);
  }
  systable_endscan(scan);
  table_close(relation, AccessShareLock);
}

// The same on all rows.
template <class Row, class Visit>
void visit_catalog(Oid catalog, Visit visit) {
  visit_catalog<Row>(catalog, InvalidOid, {}, visit);
}

}  // namespace dp::pg
