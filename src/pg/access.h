// Tables, indexes and collations as they are opened and scanned.
#pragma once

#include <cstdint>

#include "pg/server.h"

extern "C" {
#include "catalog/pg_opfamily.h"
}

namespace dp::pg {

// The number of the file that holds the relation: another one once it was rewritten.
inline Oid file_of(Relation relation) {
#if PG_VERSION_NUM >= 160000
  return relation->rd_locator.relNumber;
#else
  return relation->rd_node.relNode;
#endif
}

inline IndexScanDesc begin_index_scan(Relation table, Relation index, Snapshot snapshot, int keys) {
#if PG_VERSION_NUM >= 190000
  return index_beginscan(table, index, snapshot, nullptr, keys, 0, SO_NONE);
#elif PG_VERSION_NUM >= 180000
  return index_beginscan(table, index, snapshot, nullptr, keys, 0);
#else
  return index_beginscan(table, index, snapshot, keys, 0);
#endif
}

// A scan of all rows.
inline TableScanDesc begin_scan(Relation table, Snapshot snapshot) {
#if PG_VERSION_NUM >= 190000
  return table_beginscan(table, snapshot, 0, nullptr, SO_NONE);
#else
  return table_beginscan(table, snapshot, 0, nullptr);
#endif
}

// Deletes the row unless another transaction is doing so or has done so; waits for none.
inline void try_to_delete(Relation table, ItemPointer row) {
  TM_FailureData failure;
#if PG_VERSION_NUM >= 190000
  heap_delete(table, row, GetCurrentCommandId(true), 0, InvalidSnapshot, false, &failure);
#else
  heap_delete(table, row, GetCurrentCommandId(true), InvalidSnapshot, false, &failure, false);
#endif
}

// How far the log had got when the B-tree's page was written on which the scan stands. The scan itself notes it in some
// versions only (18: never in a scan that keeps the page pinned), so the page is asked: one with a snapshot that is no
// MVCC snapshot keeps it pinned in all of them.
inline XLogRecPtr index_page_lsn(IndexScanDesc scan) {
  const BTScanPosData& position = static_cast<BTScanOpaque>(scan->opaque)->currPos;
  if (!BTScanPosIsPinned(position)) elog(ERROR, "a scan of an index has let go of its page");
  return BufferGetLSNAtomic(position.buf);
}

// Whether the number is greater than all of a B-tree whose first column is a bigint in ascending order, those of dead
// rows among them. false where that is not seen at once, at the B-tree's end.
inline bool is_beyond_end(Relation index, std::int64_t number) {
  if (index->rd_opfamily[0] != INTEGER_BTREE_FAM_OID || index->rd_opcintype[0] != INT8OID ||
      index->rd_indoption[0] != 0)
    return false;
#if PG_VERSION_NUM >= 170000
  Buffer const end = _bt_get_endpoint(index, 0, true);
#else
  Buffer const end = _bt_get_endpoint(index, 0, true, nullptr);
#endif
  if (!BufferIsValid(end)) return true;  // nothing was ever written to it
  Page const page = BufferGetPage(end);
  const OffsetNumber last = PageGetMaxOffsetNumber(page);
  bool beyond = false;
  if (last >= P_FIRSTDATAKEY(BTPageGetOpaque(page))) {
    auto* const entry = reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, last)));
    bool null;
    const Datum highest = index_getattr(entry, 1, RelationGetDescr(index), &null);
    beyond = !null && number > DatumGetInt64(highest);
  }
  _bt_relbuf(index, end);
  return beyond;
}

// Adds an empty page to a table whose extension is locked, for rows to come.
inline void add_page(Relation table) {
  Buffer const buffer = ReadBufferExtended(table, MAIN_FORKNUM, P_NEW, RBM_ZERO_AND_LOCK, nullptr);
  const BlockNumber page = BufferGetBlockNumber(buffer);
  UnlockReleaseBuffer(buffer);
  RecordPageWithFreeSpace(table, page, BLCKSZ - SizeOfPageHeaderData);
}

inline Oid primary_key_index(Relation table) {
#if PG_VERSION_NUM >= 180000
  return RelationGetPrimaryKeyIndex(table, false);
#else
  return RelationGetPrimaryKeyIndex(table);
#endif
}

// Opens a collation that is more than the order of bytes: one that cannot be opened says so.
inline void open_collation(Oid collation) {
#if PG_VERSION_NUM >= 180000
  pg_newlocale_from_collation(collation);
#else
  if (!lc_collate_is_c(collation)) pg_newlocale_from_collation(collation);
#endif
}

}  // namespace dp::pg
