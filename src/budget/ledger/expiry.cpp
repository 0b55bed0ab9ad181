#include "budget/ledger/expiry.h"

#include <algorithm>
#include <optional>

#include "budget/ledger/carried.h"
#include "budget/ledger/ledger_sums.h"
#include "budget/ledger/reading_lock.h"
#include "budget/policy/period.h"

namespace dp::budget {
namespace {

Expired* at(dsa_pointer memory) { return static_cast<Expired*>(shared_address(memory)); }

Expired* find(const Database& here, const Period& period) {
  for (dsa_pointer memory = here.expired; DsaPointerIsValid(memory); memory = at(memory)->next) {
    if (at(memory)->period == period) return at(memory);
  }
  return nullptr;
}

Expired* enter(Database* here, const Period& period) {
  if (Expired* const found = find(*here, period)) return found;
  const dsa_pointer memory = shared_block(sizeof(Expired));
  *at(memory) = {period, here->expired, InvalidDsaPointer, 0, 0, 0, 0};
  here->expired = memory;
  return at(memory);
}

// By a clock that is behind, an entry that was out of the period may be in it again.
bool holds(const Expired& expired, TimestampTz until) {
  return DsaPointerIsValid(expired.totals) && expired.last <= until;
}

// Compacted entries may stand, under another number, for some that are in the sums already and some that are not.
std::int64_t last_compaction() {
  const std::optional<Compaction> compaction = newest_compaction();
  return compaction ? compaction->seq : 0;
}

void bring_one(Relation ledger, const Period& period) {
  Database& here = this_database();
  ReadingLock reading;
  const TimestampTz until = expired_until(period, GetCurrentTimestamp());
  const std::int64_t compacted = last_compaction();
  LWLockAcquire(&here.lock, LW_SHARED);
  const std::uint64_t readings = here.readings;
  const Expired* const found = find(here, period);
  const std::optional<Expired> before =
      found != nullptr && holds(*found, until) && found->compacted == compacted ? std::optional(*found) : std::nullopt;
  LWLockRelease(&here.lock);
  if (!before || before->first_after <= until) {
    MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp expired", ALLOCSET_DEFAULT_SIZES);
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    const ExpiredSums more = read_expired(ledger, before ? before->seq : 0, until);
    const dsa_pointer fresh = before ? InvalidDsaPointer : shared_copy(more.sums.totals());
    MemoryContextSwitchTo(outer);
    LWLockAcquire(&here.lock, LW_EXCLUSIVE);
    if (here.readings == readings) {
      Expired* const expired = enter(&here, period);
      if (!before) {
        free_shared(expired->totals);
        expired->totals = fresh;
      } else {
        make_room<Total>(&expired->totals, more.sums.totals().count());
        auto* const totals = static_cast<Totals*>(shared_address(expired->totals));
        more.sums.totals().visit([&](const Total& one) { add(totals->enter(one.relation, one.account), one); });
      }
      expired->seq = std::max(before ? before->seq : 0, more.sums.seq);
      expired->last = std::max(before ? before->last : PG_INT64_MIN, more.sums.charged_at);
      expired->first_after = more.next;
      expired->compacted = compacted;
    } else {
      free_shared(fresh);
    }
    LWLockRelease(&here.lock);
    MemoryContextDelete(memory);
  }
  reading.release();
}

// `expired`: sums of entries that are out of the period; nullptr: none are known.
void count(const Total& total, Totals* expired, Share* share) {
  const Total* const found = expired != nullptr ? expired->find(total.relation, total.account) : nullptr;
  const Total before = found != nullptr ? *found : Total{};
  // What was taken off with all that it was charged for: of sums from before that nothing is older.
  if (before.begun != total.begun) return;
  share->spent = since(total.dated, before.dated);
  share->charges_before = total.dated_charges - before.dated_charges;
}

}  // namespace

void count_in_period(const Database& here, const Total& total, TimestampTz now, Share* share) {
  const TimestampTz until = expired_until(share->period, now);
  const Expired* const found = find(here, share->period);
  const bool known = found != nullptr && holds(*found, until);
  share->may_expire = !known || found->first_after <= until;
  count(total, known ? static_cast<Totals*>(shared_address(found->totals)) : nullptr, share);
}

void count_in_periods(Relation ledger, const LedgerSums& sums, std::span<Share> shares) {
  const TimestampTz now = GetCurrentTimestamp();
  List* known = NIL;  // of each period so far a Share* that has it and a Totals*
  for (Share& share : shares) {
    const Total* const total = share.period.exists() ? sums.totals().find(share.relation, share.account) : nullptr;
    if (total == nullptr) continue;
    Totals* expired = nullptr;
    for (int i = 0; i < list_length(known) && expired == nullptr; i += 2) {
      if (static_cast<Share*>(list_nth(known, i))->period == share.period)
        expired = static_cast<Totals*>(list_nth(known, i + 1));
    }
    if (expired == nullptr) {
      expired = &read_expired(ledger, 0, expired_until(share.period, now)).sums.totals();
      known = lappend(lappend(known, &share), expired);
    }
    count(*total, expired, &share);
  }
}

void bring_expired(Relation ledger, std::span<const Share> shares) {
  for (const Share& share : shares) {
    if (share.may_expire) bring_one(ledger, share.period);
  }
}

void forget_expired(Database* here) {
  ++here->readings;
  for (dsa_pointer memory = here->expired; DsaPointerIsValid(memory); memory = at(memory)->next)
    free_shared(std::exchange(at(memory)->totals, InvalidDsaPointer));
}

}  // namespace dp::budget
