#include "budget/catalog/frozen_rows.h"

#include <algorithm>

namespace dp::budget {
namespace {

// The index that finds rows by their first column. While it is being rebuilt concurrently there is another one, not
// valid yet.
Relation open_valid_index(Relation table) {
  ListCell* cell;
  foreach (cell, RelationGetIndexList(table)) {
    Relation const index = index_open(lfirst_oid(cell), AccessShareLock);
    if (index->rd_index->indisvalid) return index;
    index_close(index, AccessShareLock);
  }
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("table dp.%s has lost its index", RelationGetRelationName(table)),
                  errhint("REINDEX TABLE dp.%s;", RelationGetRelationName(table))));
  pg_unreachable();
}

}  // namespace

void append_frozen(Oid table_id, const Datum* values, const bool* nulls) {
  // Locks are released at once: a transaction that goes idle must not block others.
  Relation const table = table_open(table_id, RowExclusiveLock);
  // The functions below only read values and nulls, though their parameters are not const.
  auto* const row_values = const_cast<Datum*>(values);
  auto* const row_nulls = const_cast<bool*>(nulls);
  HeapTuple const row = heap_form_tuple(RelationGetDescr(table), row_values, row_nulls);
  heap_insert(table, row, GetCurrentCommandId(true), HEAP_INSERT_FROZEN, nullptr);
  List* const indexes = RelationGetIndexList(table);
  ListCell* cell;
  foreach (cell, indexes) {
    Relation const index = index_open(lfirst_oid(cell), RowExclusiveLock);
    IndexInfo* const info = BuildIndexInfo(index);
    if (info->ii_ReadyForInserts)
      index_insert(index, row_values, row_nulls, &row->t_self, table, UNIQUE_CHECK_NO, false, info);
    index_close(index, RowExclusiveLock);
    pfree(info);
  }
  table_close(table, RowExclusiveLock);
  list_free(indexes);
  heap_freetuple(row);
}

NumberedRows::NumberedRows(Oid table, std::optional<std::int64_t> number)
    : memory_(AllocSetContextCreate(CurrentMemoryContext, "numbered row", ALLOCSET_DEFAULT_SIZES)),
      table_(table_open(table, AccessShareLock)),
      index_(open_valid_index(table_)),
      scan_(index_beginscan(table_, index_, SnapshotSelf, number ? 1 : 0, 0)),
      slot_(table_slot_create(table_, nullptr)) {
  if (RelationGetDescr(table_)->natts > kMostColumns)
    elog(ERROR, "table dp.%s has other columns", RelationGetRelationName(table_));
  ScanKeyData key;
  if (number) ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(*number));
  index_rescan(scan_, &key, number ? 1 : 0, nullptr, 0);
}

void NumberedRows::close() {
  index_endscan(scan_);
  ExecDropSingleTupleTableSlot(slot_);
  index_close(index_, AccessShareLock);
  table_close(table_, AccessShareLock);
  MemoryContextDelete(memory_);
}

bool NumberedRows::next() {
  MemoryContextReset(memory_);
  if (!index_getnext_slot(scan_, ForwardScanDirection, slot_)) {
    close();
    return false;
  }
  // The position of the row's page and of the index page by which it was found: both must be on disk before the row is
  // shown.
  written_ = std::max({written_, BufferGetLSNAtomic(reinterpret_cast<BufferHeapTupleTableSlot*>(slot_)->buffer),
                       static_cast<BTScanOpaque>(scan_->opaque)->currPos.lsn});
  MemoryContext const outer = MemoryContextSwitchTo(memory_);
  heap_deform_tuple(ExecCopySlotHeapTuple(slot_), RelationGetDescr(table_), values_, nulls_);
  MemoryContextSwitchTo(outer);
  return true;
}

}  // namespace dp::budget
