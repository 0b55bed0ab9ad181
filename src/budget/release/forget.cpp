// dp.forget_releases: old releases are deleted, so that nobody can relax them any more, and what was charged for them
// stays.
//
// If only a part of a path were deleted, its levels could be drawn a second time, and no budget has paid for that. So a
// release is deleted whole, in one transaction, and nobody reads releases while that is open.
#include "budget/release/forget.h"

#include <algorithm>
#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/joined_tables.h"
#include "budget/catalog/policy_rows.h"
#include "budget/ledger/long_work.h"
#include "budget/policy/accounts.h"
#include "budget/policy/curator.h"
#include "budget/release/locks.h"
#include "budget/release/parts.h"
#include "budget/release/stored_numbers.h"
#include "budget/release/stored_parts.h"
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

// What was forgotten stays known by its number, its maker and its tables, in a row for each of these.
void forget(std::int64_t release) {
  // Columns of dp.release_part.
  enum { kPart = 2, kMadeAt, kRole, kRelation, kPartners = 12 };
  for (NumberedRows part(own_tables().release_part, release); part.next();) {
    ListCell* cell;
    foreach (cell, joined_tables(part, kRelation, kPartners)) {
      const Datum values[] = {Int64GetDatum(release),
                              part.value(kPart),
                              part.value(kMadeAt),
                              part.value(kRole),
                              ObjectIdGetDatum(lfirst_oid(cell)),
                              TimestampTzGetDatum(GetCurrentTimestamp())};
      const bool nulls[std::size(values)] = {};
      append_row(own_tables().release_forgotten, values, nulls, Lasting::with_transaction);
    }
  }
  for (const Oid table : own_tables().of_releases()) {
    for (NumberedRows row(table, release); row.next();) row.remove();
  }
}

// What was reported as forgotten must not come back after a crash or a failover: its commit waits for the disk and
// for the standbys as one with synchronous_commit = on does. That is set at the commit, because what is set before
// ends with a function that has SET.
void wait_for_standbys() {
  if (synchronous_commit >= SYNCHRONOUS_COMMIT_REMOTE_FLUSH) return;
  set_config_option("synchronous_commit", "on", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL, true, 0, false);
}

void at_end(XactEvent event, void* noted) {
  bool& forgot = *static_cast<bool*>(noted);
  if (!forgot) return;
  if (event == XACT_EVENT_PRE_COMMIT) wait_for_standbys();
  if (event == XACT_EVENT_PRE_PREPARE) {
    // Another session, for which none of this holds, may commit it.
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot prepare a transaction that has forgotten releases of pg_dp"),
                    errhint("Use COMMIT instead of PREPARE TRANSACTION.")));
  }
  if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT) return;
  forgot = false;
  // The numbers of what others count in shared memory hold no longer.
  count_stored_anew();
}

void note_end() {
  static bool forgot = false, registered = false;
  if (!registered) RegisterXactCallback(at_end, &forgot);
  registered = forgot = true;
}

// Forgets what choose() gives, a list of std::int64_t*, once nobody reads releases, and says how many there were.
template <class Choose>
std::int64_t forget_chosen(Choose choose) {
  PreventCommandIfReadOnly(kFunction);
  PreventCommandIfParallelMode(kFunction);
  // Chosen before the lock is taken, so that nobody but a curator can make others wait.
  if (choose() == NIL) return 0;
  ReleaseLock::for_forgetting();
  for (const Oid table : own_tables().of_releases()) LockRelationOid(table, RowExclusiveLock);
  note_end();
  List* const releases = choose();
  LongWork work(Work::forgetting);
  ListCell* cell;
  foreach (cell, releases) {
    work.step();
    forget(*static_cast<std::int64_t*>(lfirst(cell)));
  }
  work.end();
  return list_length(releases);
}

// What the curators of a table have said of its releases, and how many numbers of newer ones there are.
struct Kept {
  Oid relation;
  Retention retention;
  bool curated;
  std::int64_t numbers;
};

class Retentions {
 public:
  explicit Retentions(Oid user) : user_(user) {}

  // From the newest part to the oldest: whether it is to be kept no longer, by what is said of any of its tables.
  bool ends(const StoredPart& part) {
    bool ends = false;
    ListCell* cell;
    foreach (cell, part.tables) ends = ends_on(lfirst_oid(cell), part) || ends;
    return ends;
  }

  // Of all its tables.
  bool curated(const StoredPart& part) {
    ListCell* cell;
    foreach (cell, part.tables) {
      if (!of(lfirst_oid(cell))->curated) return false;
    }
    return true;
  }

 private:
  bool ends_on(Oid table, const StoredPart& part) {
    Kept& kept = *of(table);
    kept.numbers += part.numbers;
    if (kept.retention.numbers > 0 && kept.numbers > kept.retention.numbers) return true;
    if (!kept.retention.by_age()) return false;
    const Datum end = DirectFunctionCall2(timestamptz_pl_interval, TimestampTzGetDatum(part.made_at),
                                          IntervalPGetDatum(&kept.retention.age));
    return DatumGetTimestampTz(end) <= GetCurrentTimestamp();
  }

  Kept* of(Oid relation) {
    ListCell* cell;
    foreach (cell, seen_) {
      if (auto* const kept = static_cast<Kept*>(lfirst(cell)); kept->relation == relation) return kept;
    }
    const std::optional<Policy> policy = protected_policy(relation);
    seen_ = lappend(seen_, new (palloc(sizeof(Kept))) Kept{relation, policy ? policy->retention : Retention{},
                                                           is_curator(relation, user_), 0});
    return static_cast<Kept*>(llast(seen_));
  }

  Oid user_;
  List* seen_ = NIL;
};

// The releases of which a part is kept no longer, if the user is a curator of all their tables. One that is still being
// written has no first part.
List* expired_releases(Oid user) {
  const std::span<StoredPart> parts = stored_parts();
  Retentions retentions(user);
  List* expired = NIL;
  for (auto end = parts.end(); end != parts.begin();) {
    auto begin = end - 1;
    while (begin != parts.begin() && (begin - 1)->release == begin->release) --begin;
    bool ends = false, whole = false, curated = true;
    std::for_each(begin, end, [&](const StoredPart& part) {
      ends = retentions.ends(part) || ends;
      whole = whole || part.number == 0;
      curated = curated && retentions.curated(part);
    });
    if (ends && whole && curated) expired = lappend(expired, &begin->release);
    end = begin;
  }
  return expired;
}

}  // namespace

bool was_forgotten(std::int64_t release, Oid user) {
  for (NumberedRows row(own_tables().release_forgotten, release); row.next();) {
    const Oid role = DatumGetObjectId(row.value(4)), relation = DatumGetObjectId(row.value(5));
    if (!has_privs_of_role(user, role) && !is_curator(relation, user)) continue;
    row.close();
    return true;
  }
  return false;
}

// dp.forget_releases(older_than interval) returns bigint: how many there were, on tables that the role is a curator of.
DP_SQL_FUNCTION(dp_forget_releases) {
  const TimestampTz before = moment_before(fcinfo);
  PG_RETURN_INT64(forget_chosen([before] { return forgettable_releases(GetUserId(), before); }));
}

std::int64_t forget_expired_releases() {
  return forget_chosen([] { return expired_releases(GetUserId()); });
}

// dp.forget_releases() returns bigint: the same of what dp.retain_releases() says.
DP_SQL_FUNCTION(dp_forget_expired) { PG_RETURN_INT64(forget_expired_releases()); }

}  // namespace dp::budget
