// Writes to dp.ledger_entry that did not come from append(): a restore, or a superuser's hand. The totals do not know
// them.
#include "budget/catalog/extension_catalog.h"
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

}  // namespace dp::budget
