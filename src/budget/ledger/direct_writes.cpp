// Writes to dp.ledger_entry that did not come from append(): a restore, or a superuser's hand. The totals do not know
// them.
#include "budget/ledger/shared_totals.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool wrote = false;  // this transaction did

// Other sessions may rebuild totals from what they see while this transaction runs, which is without its rows; so the
// totals are worth nothing once more when it ends, one way or the other.
void at_end(XactEvent event, void*) {
  if (!wrote) return;
  if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT) {
    wrote = false;
    direct_writes_end();
  } else if (event == XACT_EVENT_PRE_PREPARE) {
    // The end of a prepared transaction would pass unseen.
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot prepare a transaction that wrote to dp.ledger_entry"),
                    errhint("Use COMMIT instead of PREPARE TRANSACTION.")));
  }
}

}  // namespace

// dp.ledger_written() returns trigger: after each statement that writes to dp.ledger_entry.
DP_SQL_FUNCTION(dp_ledger_written) {
  static bool registered = false;
  if (!registered) {
    RegisterXactCallback(at_end, nullptr);
    registered = true;
  }
  if (!wrote) direct_writes_begin();
  wrote = true;
  forget_totals();
  PG_RETURN_POINTER(nullptr);  // as a trigger function does: not NULL, and no row
}

}  // namespace dp::budget
