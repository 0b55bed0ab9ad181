// Unique indexes that can be relied on: no two rows that a query sees have the same key.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Calls visit(index) for those of the table's indexes that are unique for all its rows, until it returns true; returns
// whether it did. Such an index is valid, checks at once, is not partial, has columns only for keys, and covers every
// row that the active snapshot sees. `with_tables_below`: of the tables below it as well, where these are read with it.
// A table that another session has dropped has none.
template <class Visit>
bool visit_unique_indexes(Oid table, bool with_tables_below, Visit visit);

// An index for which no two rows of the table have the same value in the column, by the type's own equality, NULLs
// apart; InvalidOid where there is none.
Oid unique_index(Oid table, AttrNumber column, bool with_tables_below);

bool is_reliably_unique(Oid index);

// The same of the index and all its partitions: what is below a partitioned one holds for its own rows.
bool are_reliably_unique(Oid index);

// Whether the tables below the table were below it already when the active snapshot was taken. Rows of one that came
// later may be of any kind under that snapshot: what its parent demands was tested on those that there were when it
// came.
bool has_older_links(Oid table);

// Whether a row of a catalog was made by a transaction that the active snapshot does not see yet: what it says need not
// hold for the rows that the snapshot sees.
bool is_younger_than_snapshot(HeapTuple row);
bool is_younger_than_snapshot(TransactionId made);

// Whether values are the same under both collations or under neither.
bool agree_on_equality(Oid collation, Oid other);

// Whether values of that type that are equal are so byte for byte: nothing computed from them differs.
bool equals_have_same_bytes(Oid type, Oid collation);

template <class Visit>
bool visit_unique_indexes(Oid table, bool with_tables_below, Visit visit) {
  Relation const opened = try_table_open(table, AccessShareLock);
  if (opened == nullptr) return false;
  bool done = false;
  // The index of a partitioned table holds for its partitions together; that of another table for its own rows.
  const bool partitioned = opened->rd_rel->relkind == RELKIND_PARTITIONED_TABLE;
  if (!with_tables_below || (partitioned && has_older_links(table)) || !has_subclass(table)) {
    ListCell* cell;
    foreach (cell, RelationGetIndexList(opened)) {
      Relation const index = index_open(lfirst_oid(cell), AccessShareLock);
      done = done || (are_reliably_unique(RelationGetRelid(index)) && visit(index));
      index_close(index, AccessShareLock);
    }
  }
  table_close(opened, AccessShareLock);
  return done;
}

}  // namespace dp::budget
