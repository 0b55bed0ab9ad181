#include "budget/frozen_rows_sql.h"

namespace dp::budget {
namespace {

// The one index of such a table.
Oid index_of(Relation table) {
  List* const indexes = RelationGetIndexList(table);
  if (list_length(indexes) != 1) elog(ERROR, "table dp.%s has %d indexes", RelationGetRelationName(table), list_length(indexes));
  return linitial_oid(indexes);
}

}  // namespace

void append_frozen(Relation table, Datum* values, bool* nulls) {
  HeapTuple const row = heap_form_tuple(RelationGetDescr(table), values, nulls);
  heap_insert(table, row, GetCurrentCommandId(true), HEAP_INSERT_FROZEN, nullptr);
  Relation const index = index_open(index_of(table), RowExclusiveLock);
  index_insert(index, values, nulls, &row->t_self, table, UNIQUE_CHECK_NO, false, BuildIndexInfo(index));
  index_close(index, RowExclusiveLock);
  heap_freetuple(row);
}

NumberedRows::NumberedRows(Oid table, std::int64_t number) : table_(table_open(table, AccessShareLock)) {
  ScanKeyData key;
  ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(number));
  scan_ = systable_beginscan(table_, index_of(table_), true, SnapshotSelf, 1, &key);
}

bool NumberedRows::next(Datum* values, bool* nulls) {
  HeapTuple const row = systable_getnext(scan_);
  if (HeapTupleIsValid(row)) {
    heap_deform_tuple(heap_copytuple(row), RelationGetDescr(table_), values, nulls);
    return true;
  }
  systable_endscan(scan_);
  table_close(table_, AccessShareLock);
  return false;
}

}  // namespace dp::budget
