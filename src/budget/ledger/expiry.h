// What counts of an account whose budget is one for a period: what the ledger adds up to, less what it added up to when
// the period began.
//
// Entries are written in the order of time (time_of_entry()), so those that are out of the period are all up to some
// number. Their sums stand in shared memory beside the totals, of all accounts, once for each period that some budget
// has, and come up to date by reading the entries that have expired since, each once. Sums that lag behind, or are not
// there, take too little off: so a charge may go by them, and they are looked at again only where it does not fit.
//
// A clock that was put back lets nothing expire: sums with entries that are not out of the period by it are not used.
// And nothing expires early after that, because no entry is dated before one that is there.
#pragma once

#include "budget/ledger/shared_database.h"
#include "budget/ledger/shared_totals.h"

namespace dp::budget {

// When an entry is written that comes after all there are. Under the lock.
inline TimestampTz time_of_entry(Database* here, TimestampTz now) {
  return here->charged_at = std::max(here->charged_at, now);
}

// Says what the share has spent in its period, by what stands in shared memory, under the lock; and whether more may
// have expired.
void count_in_period(const Database& here, const Total& total, TimestampTz now, Share* share);

// The same where nothing is shared, of those that have a period. The sums are those of the whole ledger.
void count_in_periods(Relation ledger, const LedgerSums& sums, std::span<Share> shares);

// Without the lock: reads what has expired of the shares' periods since it was read last.
void bring_expired(Relation ledger, std::span<const Share> shares);

// Under the lock: entries were changed, and what was read of them is worth nothing.
void forget_expired(Database* here);

}  // namespace dp::budget
