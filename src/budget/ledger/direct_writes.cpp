// Writes to dp.ledger_entry that did not come from append(): a restore, or a superuser's hand. The totals do not know
// them.
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/shared_totals.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool wrote = false;  // this transaction did

// While this transaction runs, other sessions may rebuild totals without its rows, which they do not see. So the totals
// are invalidated again when it ends, whether by commit or rollback.
void at_end(XactEvent event, void*) {
  if (!wrote) return;
  if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT) {
    wrote = false;
    direct_writes_end();
  } else if (event == XACT_EVENT_PRE_PREPARE) {
    // A prepared transaction may be finished by another session, where this callback does not run.
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot prepare a transaction that wrote to dp.ledger_entry"),
                    errhint("Use COMMIT instead of PREPARE TRANSACTION.")));
  }
}

}  // namespace

// dp_internal.ledger_written() returns trigger: after each statement that writes to dp.ledger_entry.
DP_SQL_FUNCTION(dp_ledger_written) {
  static bool registered = false;
  if (!registered) {
    RegisterXactCallback(at_end, nullptr);
    registered = true;
  }
  // In a database whose extension is to be updated yet nothing is charged, and nothing was written down.
  if (tables() == nullptr) PG_RETURN_POINTER(nullptr);
  if (!wrote) direct_writes_begin();
  wrote = true;
  invalidate_totals();
  PG_RETURN_POINTER(nullptr);  // as a trigger function does: not NULL, and no row
}

// Whether the statement found a row like the new one, which has a number in its first column.
static bool is_there(Relation table, HeapTuple row) {
  const TupleDesc columns = RelationGetDescr(table);
  const auto same = [&](HeapTuple other) {
    for (int i = 1; i <= columns->natts; ++i) {
      const FormData_pg_attribute& column = *TupleDescAttr(columns, i - 1);
      if (column.attisdropped) continue;
      bool null, other_null;
      const Datum value = heap_getattr(row, i, columns, &null);
      const Datum other_value = heap_getattr(other, i, columns, &other_null);
      if (null != other_null) return false;
      if (!null && !datum_image_eq(value, other_value, column.attbyval, column.attlen)) return false;
    }
    return true;
  };
  bool null;
  ScanKeyData key;
  ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_INT8EQ, heap_getattr(row, 1, columns, &null));
  if (null) return false;
  Relation const index = number_index(table);
  const Oid index_id = index == nullptr ? InvalidOid : RelationGetRelid(index);
  if (index != nullptr) index_close(index, AccessShareLock);
  SysScanDesc const scan = systable_beginscan(table, index_id, OidIsValid(index_id), GetActiveSnapshot(), 1, &key);
  bool found = false;
  for (HeapTuple other = systable_getnext(scan); !found && HeapTupleIsValid(other); other = systable_getnext(scan))
    found = same(other);
  systable_endscan(scan);
  return found;
}

// dp_internal.skip_row_that_is_there() returns trigger: before each row that a statement inserts into a table of rows
// that are numbered in their first column.
DP_SQL_FUNCTION(dp_skip_row_that_is_there) {
  if (!CALLED_AS_TRIGGER(fcinfo)) {
    ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
                    errmsg("dp_internal.skip_row_that_is_there() was not called as a trigger"),
                    errhint("The tables of pg_dp call it by themselves.")));
  }
  const auto* const inserted = reinterpret_cast<const TriggerData*>(fcinfo->context);
  PG_RETURN_POINTER(is_there(inserted->tg_relation, inserted->tg_trigtuple) ? nullptr : inserted->tg_trigtuple);
}

}  // namespace dp::budget
