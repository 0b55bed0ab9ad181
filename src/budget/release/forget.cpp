// dp.forget_releases: old releases are deleted, so that nobody can relax them any more, and what was charged for them
// stays.
//
// If only a part of a path were deleted, its levels could be drawn a second time, and no budget has paid for that. So a
// release is deleted whole, in one transaction, and nobody reads releases while that is open.
#include "budget/catalog/frozen_rows.h"
#include "budget/policy/curator.h"
#include "budget/release/locks.h"
#include "budget/release/parts.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr char kFunction[] = "dp.forget_releases()";
constexpr char kExample[] = "dp.forget_releases('90 days')";

TimestampTz moment_before(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0)) refuse_null("older_than", kExample);
  const TimestampTz now = GetCurrentTimestamp();
  const TimestampTz moment =
      DatumGetTimestampTz(DirectFunctionCall2(timestamptz_mi_interval, TimestampTzGetDatum(now), PG_GETARG_DATUM(0)));
  if (moment > now) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("older_than must not be negative, as %s is",
                           DatumGetCString(DirectFunctionCall1(interval_out, PG_GETARG_DATUM(0)))),
                    errhint("For example %s.", kExample)));
  }
  return moment;
}

void forget(std::int64_t release) {
  for (const Oid table : release_tables()) {
    for (NumberedRows row(table, release); row.next();) row.remove();
  }
}

}  // namespace

// dp.forget_releases(older_than interval) returns bigint: how many there were, on tables that the role is a curator of.
DP_SQL_FUNCTION(dp_forget_releases) {
  const TimestampTz before = moment_before(fcinfo);
  PreventCommandIfReadOnly(kFunction);
  PreventCommandIfParallelMode(kFunction);
  const Oid user = GetUserId();
  // Checked before the lock is taken, so that nobody but a curator can make others wait.
  if (forgettable_releases(user, before) == NIL) PG_RETURN_INT64(0);
  ReleaseLock::for_forgetting();
  for (const Oid table : release_tables()) LockRelationOid(table, RowExclusiveLock);
  List* const releases = forgettable_releases(user, before);
  ListCell* cell;
  foreach (cell, releases) {
    CHECK_FOR_INTERRUPTS();
    forget(*static_cast<std::int64_t*>(lfirst(cell)));
  }
  // What was reported as forgotten must not come back after a crash or a failover, whatever synchronous_commit is.
  ForceSyncCommit();
  if (synchronous_commit < SYNCHRONOUS_COMMIT_REMOTE_FLUSH) {
    set_config_option("synchronous_commit", "on", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
  }
  PG_RETURN_INT64(list_length(releases));
}

}  // namespace dp::budget
