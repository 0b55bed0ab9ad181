// What a DBA sees of the ledger: the function under the view dp.status.
#include <algorithm>
#include <iterator>

#include "budget/ledger/ledger.h"
#include "budget/ledger/shared_database.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// What the sessions of this database share, read under its lock.
struct Status {
  std::int64_t last_entry, checkpoint;
  uint32 accounts, slots;
  TimestampTz read_at;
  std::int64_t read_entries, read_took;
  int direct_writers, shut;
  Doubt doubt;
};

Status status_now() {
  Database& here = this_database();
  LWLockAcquire(&here.lock, LW_SHARED);
  const bool read = DsaPointerIsValid(here.totals);
  const Status status = {here.seq,
                         here.checkpoint,
                         read ? totals_of(here)->count() : 0,
                         read ? totals_of(here)->slots() : 0,
                         here.read_at,
                         here.read_entries,
                         here.read_took,
                         here.direct_writers,
                         here.shut_count,
                         here.doubt};
  LWLockRelease(&here.lock);
  return status;
}

// While somebody reads the ledger, or compacts it, what is known from before is shown: who wants to see how far it has
// come does not wait for it.
void bring_up_to_date() {
  const Progress* const progress = this_database().progress;
  if (progress[static_cast<int>(Work::reading)].pid == 0 && progress[static_cast<int>(Work::compacting)].pid == 0)
    read_totals({});
}

Datum counted(pg_atomic_uint64 Counters::*counter) {
  return Int64GetDatum(static_cast<std::int64_t>(pg_atomic_read_u64(&(this_database().counters.*counter))));
}

}  // namespace

// dp_internal.read_status() returns the first columns of dp.status: NULLs where there are no totals in shared memory.
DP_SQL_FUNCTION(dp_read_status) {
  constexpr int kColumns = 17;
  TupleDesc columns;
  get_call_result_type(fcinfo, nullptr, &columns);
  Datum values[kColumns] = {};
  bool nulls[kColumns];
  std::fill(std::begin(nulls), std::end(nulls), true);
  if (totals_installed() && !RecoveryInProgress()) {
    bring_up_to_date();
    const Status status = status_now();
    const char* const doubt = name_of(status.doubt);
    const Datum known[] = {
        doubt != nullptr ? CStringGetTextDatum(doubt) : Datum{0},
        Int64GetDatum(status.last_entry),
        Int64GetDatum(status.checkpoint),
        Int64GetDatum(status.accounts),
        Int64GetDatum(static_cast<std::int64_t>(Totals::bytes(status.slots))),
        TimestampTzGetDatum(status.read_at),
        Int64GetDatum(status.read_entries),
        Int64GetDatum(status.read_took),
        Int64GetDatum(status.direct_writers),
        Int64GetDatum(status.shut),
        Int64GetDatum(status.slots / 4 * 3),
        counted(&Counters::charges),
        counted(&Counters::refusals),
        counted(&Counters::errors),
        counted(&Counters::lock_waits),
        counted(&Counters::reused),
        Float8GetDatum(static_cast<double>(DatumGetInt64(counted(&Counters::charge_microseconds))) / 1e6)};
    static_assert(std::size(known) == kColumns);
    std::copy(std::begin(known), std::end(known), values);
    std::fill(std::begin(nulls), std::end(nulls), false);
    nulls[0] = doubt == nullptr;
    nulls[5] = status.read_at == 0;
  }
  PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(columns), values, nulls)));
}

}  // namespace dp::budget
