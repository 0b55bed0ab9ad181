#include "budget/catalog/frozen_rows.h"

#include <algorithm>

#include "pg/access.h"

namespace dp::budget {
namespace {

// Another one may be there, not valid yet, while it is being rebuilt concurrently.
Relation open_number_index(Relation table) {
  if (Relation const index = number_index(table)) return index;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("table dp.%s has lost its index", RelationGetRelationName(table)),
                  errhint("REINDEX TABLE dp.%s;", RelationGetRelationName(table))));
  pg_unreachable();
}

// Of a row that has only just been made nothing but its columns can be asked.
void require_plain(Relation index, const IndexInfo* info) {
  if (info->ii_Expressions == NIL && info->ii_Predicate == NIL) return;
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("index %s on a table of pg_dp has expressions or a condition", RelationGetRelationName(index)),
                  errhint("As a superuser: DROP INDEX dp.%s;", quote_identifier(RelationGetRelationName(index)))));
}

}  // namespace

Relation number_index(Relation table) {
  ListCell* cell;
  foreach (cell, RelationGetIndexList(table)) {
    Relation const index = index_open(lfirst_oid(cell), AccessShareLock);
    const auto& what = *index->rd_index;
    if (what.indisvalid && what.indkey.values[0] == 1 && index->rd_rel->relam == BTREE_AM_OID &&
        RelationGetIndexPredicate(index) == NIL)
      return index;
    index_close(index, AccessShareLock);
  }
  return nullptr;
}

FrozenTable::FrozenTable(Oid table) : table_(table_open(table, RowExclusiveLock)) {
  List* const indexes = RelationGetIndexList(table_);
  if (list_length(indexes) > kMostIndexes)
    elog(ERROR, "table dp.%s has too many indexes", RelationGetRelationName(table_));
  ListCell* cell;
  foreach (cell, indexes) {
    Relation const index = index_open(lfirst_oid(cell), RowExclusiveLock);
    IndexInfo* const info = BuildIndexInfo(index);
    require_plain(index, info);
    indexes_[count_++] = {index, info};
  }
  list_free(indexes);
}

void FrozenTable::insert(HeapTuple row, Lasting lasting) {
  const bool frozen = lasting == Lasting::at_once;
  // Publications of all tables do not send them: noise would go with them, and a ledger is that of its own server.
  const int options = HEAP_INSERT_NO_LOGICAL | (frozen ? HEAP_INSERT_FROZEN : 0);
  heap_insert(table_, row, GetCurrentCommandId(!frozen), options, nullptr);
  for (int i = 0; i < count_; ++i) {
    const auto& [index, info] = indexes_[i];
    if (!info->ii_ReadyForInserts) continue;
    Datum values[INDEX_MAX_KEYS];
    bool nulls[INDEX_MAX_KEYS];
    for (int column = 0; column < info->ii_NumIndexAttrs; ++column) {
      values[column] = heap_getattr(row, info->ii_IndexAttrNumbers[column], RelationGetDescr(table_), &nulls[column]);
    }
    index_insert(index, values, nulls, &row->t_self, table_, UNIQUE_CHECK_NO, false, info);
  }
}

void FrozenTable::close() {
  for (int i = 0; i < count_; ++i) {
    index_close(indexes_[i].relation, RowExclusiveLock);
    pfree(indexes_[i].info);
  }
  table_close(table_, RowExclusiveLock);
}

bool FrozenTable::has(std::int64_t number) const {
  const auto* const by_number = std::find_if(indexes_, indexes_ + count_, [](const Index& index) {
    const auto& what = *index.relation->rd_index;
    return what.indisvalid && what.indkey.values[0] == 1 && index.relation->rd_rel->relam == BTREE_AM_OID;
  });
  if (by_number == indexes_ + count_) elog(ERROR, "table dp.%s has lost its index", RelationGetRelationName(table_));
  // Numbers are given in ascending order: a new one is there hardly ever.
  if (pg::is_beyond_end(by_number->relation, number)) return false;
  IndexScanDesc const scan = pg::begin_index_scan(table_, by_number->relation, SnapshotSelf, 1);
  ScanKeyData key;
  ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(number));
  index_rescan(scan, &key, 1, nullptr, 0);
  const bool found = index_getnext_tid(scan, ForwardScanDirection) != nullptr;
  index_endscan(scan);
  return found;
}

namespace {

OpenTables* open_tables = nullptr;

// Calls use(table) with the table, opened.
template <class Use>
auto with_table(Oid table_id, Use use) {
  if (open_tables != nullptr) return use(*open_tables->table(table_id));
  FrozenTable table(table_id);
  const auto result = use(table);
  table.close();
  return result;
}

}  // namespace

OpenTables::OpenTables() { open_tables = this; }

OpenTables::~OpenTables() { open_tables = nullptr; }

FrozenTable* OpenTables::table(Oid table) {
  FrozenTable** const end = tables_ + count_;
  FrozenTable** const found = std::find_if(
      tables_, end, [table](const FrozenTable* one) { return RelationGetRelid(one->relation()) == table; });
  if (found != end) return *found;
  if (count_ == kMost) elog(ERROR, "too many tables of pg_dp are open");
  return tables_[count_++] = new (palloc(sizeof(FrozenTable))) FrozenTable(table);
}

void OpenTables::close() {
  std::for_each(tables_, tables_ + count_, [](FrozenTable* table) { table->close(); });
  count_ = 0;
}

void append_row(Oid table_id, const Datum* values, const bool* nulls, Lasting lasting) {
  with_table(table_id, [=](FrozenTable& table) {
    // The values are only read, as the function does not say.
    HeapTuple const row =
        heap_form_tuple(RelationGetDescr(table.relation()), const_cast<Datum*>(values), const_cast<bool*>(nulls));
    table.insert(row, lasting);
    heap_freetuple(row);
    return true;
  });
}

NumberedRows::NumberedRows(Oid table, std::optional<std::int64_t> number, std::optional<Second> second,
                           ScanDirection direction)
    : memory_(AllocSetContextCreate(CurrentMemoryContext, "numbered row", ALLOCSET_DEFAULT_SIZES)),
      table_(table_open(table, AccessShareLock)),
      index_(open_number_index(table_)),
      scan_(pg::begin_index_scan(table_, index_, SnapshotSelf, (number ? 1 : 0) + (second ? 1 : 0))),
      direction_(direction),
      slot_(table_slot_create(table_, nullptr)) {
  if (RelationGetDescr(table_)->natts > kMostColumns)
    elog(ERROR, "table dp.%s has other columns", RelationGetRelationName(table_));
  ScanKeyData keys[2];
  if (number) ScanKeyInit(&keys[0], 1, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(*number));
  if (second) ScanKeyInit(&keys[1], 2, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(second->number));
  index_rescan(scan_, keys, (number ? 1 : 0) + (second ? 1 : 0), nullptr, 0);
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
  if (!index_getnext_slot(scan_, direction_, slot_)) {
    close();
    return false;
  }
  // The position of the row's page and of the index page by which it was found: both must be on disk before the row is
  // shown.
  written_ = std::max({written_, BufferGetLSNAtomic(reinterpret_cast<BufferHeapTupleTableSlot*>(slot_)->buffer),
                       pg::index_page_lsn(scan_)});
  MemoryContext const outer = MemoryContextSwitchTo(memory_);
  heap_deform_tuple(ExecCopySlotHeapTuple(slot_), RelationGetDescr(table_), values_, nulls_);
  MemoryContextSwitchTo(outer);
  return true;
}

RowPlace NumberedRows::place() const {
  bool null;
  return {ItemPointerGetBlockNumber(&slot_->tts_tid), ItemPointerGetOffsetNumber(&slot_->tts_tid),
          DatumGetTransactionId(slot_getsysattr(slot_, MinTransactionIdAttributeNumber, &null))};
}

void NumberedRows::replace(std::span<const Change> changes) {
  for (const Change& change : changes) values_[change.column - 1] = change.value;
  // Not an update, which a publication would send, and at which its subscribers would stop: such a table has no key.
  remove();
  FrozenTable table(RelationGetRelid(table_));
  table.insert(heap_form_tuple(RelationGetDescr(table_), values_, nulls_), Lasting::with_transaction);
  table.close();
}

bool has_number(Oid table_id, std::int64_t number) {
  return with_table(table_id, [number](const FrozenTable& table) { return table.has(number); });
}

std::int64_t highest_number(Oid table_id) {
  Relation const table = table_open(table_id, AccessShareLock);
  Relation const index = open_number_index(table);
  IndexScanDesc const scan = pg::begin_index_scan(table, index, SnapshotSelf, 0);
  TupleTableSlot* const slot = table_slot_create(table, nullptr);
  index_rescan(scan, nullptr, 0, nullptr, 0);
  bool null = true;
  std::int64_t number = 0;
  if (index_getnext_slot(scan, BackwardScanDirection, slot)) number = DatumGetInt64(slot_getattr(slot, 1, &null));
  index_endscan(scan);
  ExecDropSingleTupleTableSlot(slot);
  index_close(index, AccessShareLock);
  table_close(table, AccessShareLock);
  return null ? 0 : number;
}

}  // namespace dp::budget
