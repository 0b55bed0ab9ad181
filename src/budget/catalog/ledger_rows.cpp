#include "budget/catalog/ledger_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "pg/access.h"

namespace dp::budget {
namespace {

enum Column {
  kSeq,
  kChargedAt,
  kRole,
  kAccount,
  kRelation,
  kKind,
  kEpsilon,
  kDelta,
  kTableEpsilon,
  kTableDelta,
  kRelease,
  kQuery,
  kEntries,
  kLosses,
  kTableLosses,
  kDivergences,
  kTableDivergences,
  kColumns
};

constexpr Oid kTypes[kColumns] = {INT8OID, TIMESTAMPTZOID, REGROLEOID, REGROLEOID,   REGCLASSOID, TEXTOID,
                                  INT8OID, INT8OID,        INT8OID,    INT8OID,      INT8OID,     TEXTOID,
                                  INT8OID, TEXTOID,        TEXTOID,    INT8ARRAYOID, INT8ARRAYOID};

// Columns that somebody adds come after ours, and stay as dropped ones: new rows have NULL there.
void check_columns(Relation ledger) {
  const TupleDesc columns = RelationGetDescr(ledger);
  for (int i = 0; i < kColumns; ++i) {
    if (i < columns->natts && TupleDescAttr(columns, i)->atttypid == kTypes[i]) continue;
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                    errmsg("column %d of dp.ledger_entry is not what the ledger has there", i + 1),
                    errhint("Restore the table from a dump.")));
  }
}

}  // namespace

namespace {

// What losses and their divergences take.
int bytes_of(const Losses& losses) {
  if (losses.empty()) return 0;
  constexpr int kHeads = 64;
  return static_cast<int>(std::strlen(text_of(losses).text) + sizeof(Divergences)) + kHeads;
}

[[noreturn]] void refuse_divergences() {
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("divergences of the ledger are not %d or %d numbers", (int)kOrders, (int)kOrders + 1),
                  errhint("Set them right as a superuser, from a backup: TABLE dp.ledger_entry; shows them.")));
  pg_unreachable();
}

std::string_view name_of(Datum kind) {
  const auto* const text = static_cast<const struct varlena*>(static_cast<void*>(DatumGetPointer(kind)));
  return {VARDATA_ANY(text), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(text))};
}

}  // namespace

bool LedgerRow::is_carried() const { return name_of(kind) == kCarried; }

std::optional<bool> LedgerRow::turns() const {
  const std::string_view name = name_of(kind);
  if (name == kClosed) return true;
  if (name == kReopened || (name == kDropped && OidIsValid(account))) return false;
  return std::nullopt;
}

bool LedgerRow::ends_books() const { return name_of(kind) == kDropped; }

bool LedgerRow::is_withdrawn() const { return name_of(kind) == kWithdrawn; }

bool LedgerRow::continues() const { return name_of(kind) == kContinued || is_older(); }

bool LedgerRow::is_older() const { return name_of(kind) == kContinuedOlder; }

Datum ledger_text(const char* query, const Losses& losses, const Losses& table_losses) {
  if (query == nullptr) return 0;
  const int bytes = static_cast<int>(std::strlen(query));
  const int most = kQueryBytes - bytes_of(losses) - bytes_of(table_losses);
  const int kept = bytes <= most ? bytes : pg_mbcliplen(query, bytes, most);
  return PointerGetDatum(cstring_to_text_with_len(query, kept));
}

Datum divergences_datum(const Spending& spending) {
  return spending.is_rough() ? Datum{0} : divergences_array(spending.divergences);
}

Datum divergences_array(const Divergences& divergences) {
  Datum at[kOrders + 1];
  Datum* const end = std::transform(divergences.at.begin(), divergences.at.end(), at,
                                    [](std::int64_t one) { return Int64GetDatum(one); });
  *end = Int64GetDatum(divergences.unbounded);
  const int count = static_cast<int>(kOrders) + (divergences.unbounded != 0 ? 1 : 0);
  return PointerGetDatum(construct_array(at, count, INT8OID, sizeof(std::int64_t), true, TYPALIGN_DOUBLE));
}

Divergences divergences_of(Datum array) {
  Datum* at;
  bool* nulls;
  int count;
  deconstruct_array(DatumGetArrayTypeP(array), INT8OID, sizeof(std::int64_t), true, TYPALIGN_DOUBLE, &at, &nulls,
                    &count);
  Divergences divergences;
  const int more = count - static_cast<int>(kOrders);
  if (more < 0 || more > 1 || std::any_of(nulls, nulls + count, [](bool null) { return null; })) refuse_divergences();
  if (more == 1) divergences.unbounded = DatumGetInt64(at[kOrders]);
  std::transform(at, at + kOrders, divergences.at.begin(), [](Datum one) { return DatumGetInt64(one); });
  pfree(at);
  pfree(nulls);
  return divergences;
}

namespace {

Datum losses_datum(const Losses& losses) {
  return losses.empty() ? Datum{0} : CStringGetTextDatum(text_of(losses).text);
}

Losses losses_of(Datum value) {
  Losses losses;
  char* const written = TextDatumGetCString(value);
  if (!parse(written, &losses)) {
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED), errmsg("the ledger has losses that no charge wrote: %s", written),
                    errhint("Set it right as a superuser, from a backup: TABLE dp.ledger_entry; shows it.")));
  }
  pfree(written);
  return losses;
}

}  // namespace

bool is_ledger_column(int number) { return number >= 1 && number <= kColumns; }

HeapTuple form_ledger_row(Relation ledger, const LedgerRow& row) {
  check_columns(ledger);
  const auto columns = static_cast<Size>(RelationGetDescr(ledger)->natts);
  auto* const values = static_cast<Datum*>(palloc0(columns * sizeof(Datum)));
  auto* const nulls = static_cast<bool*>(palloc0(columns * sizeof(bool)));
  std::fill(nulls + kColumns, nulls + columns, true);
  values[kSeq] = Int64GetDatum(row.seq);
  values[kChargedAt] = TimestampTzGetDatum(row.charged_at);
  values[kRole] = ObjectIdGetDatum(row.role);
  values[kAccount] = ObjectIdGetDatum(row.account);
  nulls[kAccount] = !OidIsValid(row.account);
  values[kRelation] = ObjectIdGetDatum(row.relation);
  values[kKind] = row.kind;
  values[kEpsilon] = Int64GetDatum(row.paid.epsilon);
  values[kDelta] = Int64GetDatum(row.paid.delta);
  values[kTableEpsilon] = Int64GetDatum(row.table.epsilon);
  values[kTableDelta] = Int64GetDatum(row.table.delta);
  values[kRelease] = Int64GetDatum(row.release);
  nulls[kRelease] = row.release == 0;
  values[kQuery] = row.query;
  nulls[kQuery] = row.query == 0;
  values[kEntries] = Int64GetDatum(row.entries);
  nulls[kEntries] = row.entries == 1;
  const auto put = [&](int column, Datum value) {
    values[column] = value;
    nulls[column] = value == 0;
  };
  put(kLosses, losses_datum(row.losses));
  put(kTableLosses, losses_datum(row.table_losses));
  put(kDivergences, divergences_datum(row.paid));
  put(kTableDivergences, divergences_datum(row.table));
  HeapTuple const tuple = heap_form_tuple(RelationGetDescr(ledger), values, nulls);
  if (tuple->t_len > TOAST_TUPLE_THRESHOLD) elog(ERROR, "ledger entry of %u bytes is too large", tuple->t_len);
  return tuple;
}

LedgerScan::LedgerScan(Relation ledger)
    : ledger_(ledger), scan_(table_beginscan_strat(ledger, SnapshotSelf, 0, nullptr, true, false)) {
  check_columns(ledger);
  const auto columns = static_cast<Size>(RelationGetDescr(ledger)->natts);
  values_ = static_cast<Datum*>(palloc(columns * sizeof(Datum)));
  nulls_ = static_cast<bool*>(palloc(columns * sizeof(bool)));
}

LedgerScan::LedgerScan(Relation ledger, Relation index, std::int64_t from, std::int64_t to, ScanDirection direction)
    : ledger_(ledger),
      by_number_(pg::begin_index_scan(ledger, index, SnapshotSelf, 2)),
      direction_(direction),
      slot_(table_slot_create(ledger, nullptr)) {
  check_columns(ledger);
  const auto columns = static_cast<Size>(RelationGetDescr(ledger)->natts);
  values_ = static_cast<Datum*>(palloc(columns * sizeof(Datum)));
  nulls_ = static_cast<bool*>(palloc(columns * sizeof(bool)));
  ScanKeyData keys[2];
  ScanKeyInit(&keys[0], 1, BTGreaterEqualStrategyNumber, F_INT8GE, Int64GetDatum(from));
  ScanKeyInit(&keys[1], 1, BTLessEqualStrategyNumber, F_INT8LE, Int64GetDatum(to));
  index_rescan(by_number_, keys, 2, nullptr, 0);
}

void LedgerScan::close() {
  if (scan_ != nullptr) return table_endscan(scan_);
  index_endscan(by_number_);
  ExecDropSingleTupleTableSlot(slot_);
}

HeapTuple LedgerScan::next_tuple() {
  if (scan_ != nullptr) return heap_getnext(scan_, ForwardScanDirection);
  return index_getnext_slot(by_number_, direction_, slot_) ? ExecFetchSlotHeapTuple(slot_, false, nullptr) : nullptr;
}

bool LedgerScan::next(LedgerRow* row) {
  HeapTuple const tuple = next_tuple();
  if (!HeapTupleIsValid(tuple)) {
    close();
    return false;
  }
  const Datum* const values = values_;
  const bool* const nulls = nulls_;
  heap_deform_tuple(tuple, RelationGetDescr(ledger_), values_, nulls_);
  *row = {DatumGetInt64(values[kSeq]),
          DatumGetTimestampTz(values[kChargedAt]),
          DatumGetObjectId(values[kRole]),
          nulls[kAccount] ? InvalidOid : DatumGetObjectId(values[kAccount]),
          DatumGetObjectId(values[kRelation]),
          values[kKind],
          Spending::of({DatumGetInt64(values[kEpsilon]), DatumGetInt64(values[kDelta])}),
          Spending::of({DatumGetInt64(values[kTableEpsilon]), DatumGetInt64(values[kTableDelta])}),
          nulls[kRelease] ? 0 : DatumGetInt64(values[kRelease]),
          nulls[kQuery] ? 0 : values[kQuery],
          nulls[kEntries] ? 1 : DatumGetInt64(values[kEntries])};
  if (!nulls[kLosses]) row->losses = losses_of(values[kLosses]);
  if (!nulls[kTableLosses]) row->table_losses = losses_of(values[kTableLosses]);
  if (!nulls[kDivergences]) row->paid.divergences = divergences_of(values[kDivergences]);
  if (!nulls[kTableDivergences]) row->table.divergences = divergences_of(values[kTableDivergences]);
  at_ = tuple->t_self;
  return true;
}

}  // namespace dp::budget
