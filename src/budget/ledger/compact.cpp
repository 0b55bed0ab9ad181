// dp.compact_ledger: entries that are old enough are folded, so that a ledger of many years stays small. What each
// account has spent, and how often it was charged, is the same before and after.
//
// It is an ordinary transaction, rolled back by an error or a crash as a whole. Charges go on beside it. Who has to
// read the ledger waits for its end, because a reader that is not bound to a snapshot could see entries and the row
// that stands for them, or neither.
#include <algorithm>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/carried.h"
#include "budget/ledger/ledger.h"
#include "budget/ledger/ledger_sums.h"
#include "budget/ledger/long_work.h"
#include "budget/policy/period.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kFunction = "dp.compact_ledger()";

bool compacted = false;  // this transaction has done so

void at_end(XactEvent event, void*) {
  if (!compacted) return;
  if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT) {
    compacted = false;
  } else if (event == XACT_EVENT_PRE_PREPARE) {
    // Everybody who reads the ledger would wait until it is committed, also after a restart.
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("cannot prepare a transaction that has compacted the ledger of pg_dp"),
                    errhint("Use COMMIT instead of PREPARE TRANSACTION.")));
  }
}

void require_superuser() {
  if (superuser()) return;
  ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE), errmsg("only a superuser compacts the ledger of pg_dp"),
                  errhint("Ask one: SELECT dp.compact_ledger(now() - interval '1 year');")));
}

TimestampTz moment_argument(FunctionCallInfo fcinfo) {
  if (!PG_ARGISNULL(0)) return PG_GETARG_TIMESTAMPTZ(0);
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("before must not be NULL"),
                  errhint("For example dp.compact_ledger(now() - interval '1 year').")));
  pg_unreachable();
}

// What is folded into one row.
struct Group {
  struct Key {
    Oid relation;
    Oid role;
    Oid account;
  } key;
  LedgerRow row;
};

class Groups {
 public:
  Groups() {
    HASHCTL control{};
    control.keysize = sizeof(Group::Key);
    control.entrysize = sizeof(Group);
    control.hcxt = CurrentMemoryContext;
    groups_ = hash_create("folded entries", 1024, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
  }

  // The row has the number and the moment of the last entry that is in it, and the highest number of a release.
  void add(const LedgerRow& row) {
    const Group::Key key = {row.relation, row.role, row.account};
    bool found;
    auto* const group = static_cast<Group*>(hash_search(groups_, &key, HASH_ENTER, &found));
    LedgerRow& sum = group->row;
    if (!found) {
      sum = row;
      sum.kind = 0;
      sum.query = 0;
      sum.losses = sum.table_losses = {};
      return;
    }
    sum.seq = std::max(sum.seq, row.seq);
    sum.charged_at = std::max(sum.charged_at, row.charged_at);
    sum.release = std::max(sum.release, row.release);
    sum.entries += row.entries;
    sum.paid += row.paid;
    sum.table += row.table;
  }

  Carried write() {
    FrozenTable ledger(own_tables().ledger_entry);
    const Datum kind = CStringGetTextDatum(kCarried);
    Carried carried;
    HASH_SEQ_STATUS scan;
    hash_seq_init(&scan, groups_);
    while (auto* const group = static_cast<Group*>(hash_seq_search(&scan))) {
      group->row.kind = kind;
      ledger.insert(form_ledger_row(ledger.relation(), group->row), Lasting::with_transaction);
      carried.add(group->row);
    }
    ledger.close();
    return carried;
  }

 private:
  HTAB* groups_;
};

// What counts in the period of a budget keeps its moment: entries that were written before are out of all periods.
TimestampTz before_all_periods(TimestampTz moment) {
  const TimestampTz now = GetCurrentTimestamp();
  const auto look_at = [&](const Policy& policy) {
    if (policy.limit.period.exists()) moment = std::min(moment, expired_until(policy.limit.period, now) + 1);
  };
  ListCell *table, *account;
  foreach (table, all_protected()) {
    const auto& policy = *static_cast<const Policy*>(lfirst(table));
    look_at(policy);
    foreach (account, accounts_on(policy.relation)) look_at(*static_cast<const Policy*>(lfirst(account)));
  }
  return moment;
}

// The last entry that is to be folded: before the first one that is too young.
std::int64_t last_before(Relation ledger, TimestampTz moment, std::int64_t last, LongWork* work) {
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    work->step();
    if (!row.is_carried() && row.charged_at >= moment) last = std::min(last, row.seq - 1);
  }
  return last;
}

struct Folded {
  std::int64_t entries;  // that were none of carried rows before
  Compaction compaction;
};

// Rows that closed or opened an account stay: the last of them counts, wherever it lies. So do those that take amounts
// off, which are added to nothing, and those that carry an account's charges over, which are not its table's, too.
Folded fold(Relation ledger, std::int64_t last, LongWork* work) {
  Groups groups;
  Folded folded = {0, {last, 0, {}}};
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    work->step();
    if (row.seq > last) continue;
    if (row.turns() || row.ends_books() || row.is_withdrawn() || row.continues()) {
      ++folded.compaction.kept;
      continue;
    }
    if (!row.is_carried()) ++folded.entries;
    groups.add(row);
    scan.remove();
  }
  folded.compaction.carried = groups.write();
  return folded;
}

// Whether each of the totals is the same among the others. One of nothing need not be there: who has no account of its
// own leaves such a one in memory.
bool are_among(Totals& totals, Totals& others) {
  bool same = true;
  totals.visit([&](const Total& a) {
    const Total* const found = others.find(a.relation, a.account);
    const Total b = found != nullptr ? *found : Total{};
    same = same && a.spent == b.spent && a.charges == b.charges && a.dated == b.dated &&
           a.dated_charges == b.dated_charges && a.begun == b.begun && a.closed == b.closed && a.turned == b.turned;
  });
  return same;
}

// Adds up what is there now and compares it with what was there before.
void require_unchanged(Relation ledger, const LedgerSums& before, LongWork* work) {
  LedgerSums now(before.totals().count());
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    work->step();
    if (row.seq <= before.seq) now.add(row);
  }
  if (are_among(now.totals(), before.totals()) && are_among(before.totals(), now.totals())) return;
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("the ledger of pg_dp does not add up to what it did: it was not compacted"),
                  errhint("Please report it. The ledger is as it was before.")));
}

// Who asks for a release that was forgotten so long ago is told that there is none.
void forget_forgotten(TimestampTz before, LongWork* work) {
  constexpr int kForgottenAt = 6;  // the column of dp.release_forgotten
  LockRelationOid(own_tables().release_forgotten, RowExclusiveLock);
  for (NumberedRows row(own_tables().release_forgotten); row.next();) {
    work->step();
    if (DatumGetTimestampTz(row.value(kForgottenAt)) < before) row.remove();
  }
}

}  // namespace

// dp.compact_ledger(before timestamptz) returns bigint: how many entries were folded.
DP_SQL_FUNCTION(dp_compact_ledger) {
  static bool registered = false;
  if (!registered) {
    RegisterXactCallback(at_end, nullptr);
    registered = true;
  }
  require_superuser();
  const TimestampTz before = moment_argument(fcinfo);
  PreventCommandIfReadOnly(kFunction);
  PreventCommandIfParallelMode(kFunction);
  prepare_to_charge();
  Relation const ledger = table_open(own_tables().ledger_entry, RowExclusiveLock);
  compacted = true;
  const LedgerSums sums = begin_compaction(ledger);
  LongWork work(Work::compacting);
  const std::optional<Compaction> earlier = newest_compaction();
  const std::int64_t last = last_before(ledger, before_all_periods(before), sums.seq, &work);
  std::int64_t entries = 0;
  if (last > (earlier ? earlier->seq : 0)) {
    const Folded folded = fold(ledger, last, &work);
    entries = folded.entries;
    write_compaction(folded.compaction, entries, before);
    CommandCounterIncrement();
    require_unchanged(ledger, sums, &work);
    ereport(LOG_SERVER_ONLY,
            (errmsg("\"%s\" folded %lld entries of the ledger of pg_dp into %lld", role_name(GetUserId()),
                    static_cast<long long>(entries), static_cast<long long>(folded.compaction.carried.rows))));
  }
  forget_forgotten(before, &work);
  work.end();
  table_close(ledger, NoLock);
  PG_RETURN_INT64(entries);
}

}  // namespace dp::budget
