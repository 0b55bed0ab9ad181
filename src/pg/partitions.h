// How a table is partitioned, and what watches its rows.
#pragma once

#include "pg/server.h"

extern "C" {
#include "catalog/partition.h"
#include "catalog/pg_trigger.h"
#include "utils/partcache.h"
}

namespace dp::pg {

// The columns by which a partitioned table is (int); 0 for an expression.
inline List* partition_columns(Oid table) {
  Relation const opened = table_open(table, AccessShareLock);
  PartitionKey const key = RelationGetPartitionKey(opened);
  List* columns = NIL;
  for (int i = 0; i < key->partnatts; ++i) columns = lappend_int(columns, key->partattrs[i]);
  table_close(opened, AccessShareLock);
  return columns;
}

}  // namespace dp::pg
