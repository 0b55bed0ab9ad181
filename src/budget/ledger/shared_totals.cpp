#include "budget/ledger/shared_totals.h"

#include <algorithm>
#include <string_view>

#include "budget/ledger/carried.h"
#include "budget/ledger/checkpoint.h"
#include "budget/ledger/expiry.h"
#include "budget/ledger/ledger_sums.h"
#include "budget/ledger/pages.h"
#include "budget/ledger/reading_lock.h"
#include "budget/ledger/shared_database.h"
#include "budget/ledger/totals_lock.h"
#include "pg/access.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// After so many entries a start of the server would be felt; with many accounts writing them down takes longer than
// reading as many entries.
constexpr std::int64_t kCheckpointEntries = 32768;

bool due = false;  // whether a checkpoint is to be written after this append

// Whether direct writes make themselves known. A restore that disables triggers enables them again as ones that do not
// always fire; since then nothing is taken for granted.
bool watched(Relation ledger) {
  const TriggerDesc* const triggers = ledger->trigdesc;
  int always = 0;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    const std::string_view name(trigger.tgname);
    const bool ours = name == "ledger_being_written" || name == "ledger_written";
    if (ours && trigger.tgenabled == TRIGGER_FIRES_ALWAYS) ++always;
  }
  return always == 2;
}

// Another table, TRUNCATE, VACUUM FULL and their rollback bring another file. Triggers that were disabled may be back,
// by a rollback, too.
bool hold(const Database& here, Relation ledger) {
  return here.valid && here.file == pg::file_of(ledger) && (here.doubt != Doubt::unwatched || !watched(ledger));
}

bool is_shut(const Database& here, const Share& share) {
  return here.all_shut || std::any_of(here.shut, here.shut + here.shut_count, [&](const ShutAccount& account) {
           return account.relation == share.relation && account.account == share.account;
         });
}

void fill_in(Totals* totals, Share* share) {
  const Total* const total = totals->find(share->relation, share->account);
  share->spent = total != nullptr ? total->spent : Spending{};
  share->closed = total != nullptr && total->closed;
  share->turned = total != nullptr ? total->turned : 0;
  share->charges_before = total != nullptr ? total->charges : 0;
}

void fill_in(const Database& here, TimestampTz now, std::span<Share> shares) {
  Totals* const totals = totals_of(here);
  for (Share& share : shares) {
    fill_in(totals, &share);
    const Total* const total = share.period.exists() ? totals->find(share.relation, share.account) : nullptr;
    if (total != nullptr) count_in_period(here, *total, now, &share);
    share.closed = share.closed || is_shut(here, share);
  }
}

// Another place than the one that was written down is a doubt, or is written down by who charges first.
struct Standing {
  Doubt doubt;
  bool unsettled;
};

Standing standing_of(const LedgerSums& sums) {
  const std::optional<Settled> settled = last_settled();
  if (!settled && sums.seq > 0) return {Doubt::moved, false};
  if (sums.doubt != Doubt::none) return {sums.doubt, false};
  if (!settled) return {Doubt::none, true};
  const Place is = place_now();
  const bool goes_on = is_continued(settled->place, is);
  return {goes_on ? Doubt::none : Doubt::moved, goes_on && !(settled->place == is)};
}

// Reads the ledger and publishes what it adds up to, unless somebody else has done so meanwhile.
void read_for_all(Relation ledger, bool again) {
  Database& here = this_database();
  ReadingLock reading;
  LWLockAcquire(&here.lock, LW_SHARED);
  const bool done = !again && hold(here, ledger);
  const std::uint64_t changes = here.changes;
  LWLockRelease(&here.lock);
  if (!done) {
    MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp totals", ALLOCSET_DEFAULT_SIZES);
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    const LedgerSums sums = read_ledger(ledger, watched(ledger));
    const Standing standing = standing_of(sums);
    const dsa_pointer fresh = shared_copy(sums.totals());
    MemoryContextSwitchTo(outer);
    MemoryContextDelete(memory);
    dsa_pointer old = fresh;
    LWLockAcquire(&here.lock, LW_EXCLUSIVE);
    if (here.changes == changes) {
      old = here.totals;
      here.totals = fresh;
      here.charged_at = sums.charged_at;
      forget_expired(&here);
      here.file = pg::file_of(ledger);
      here.last_page = InvalidBlockNumber;
      here.seq = sums.seq;
      here.release = sums.release;
      here.checkpoint = sums.checkpoint;
      here.read_at = GetCurrentTimestamp();
      here.read_entries = sums.rows;
      here.read_took = sums.took;
      here.doubt = standing.doubt;
      here.unsettled = standing.unsettled;
      here.valid = true;
    }
    LWLockRelease(&here.lock);
    free_shared(old);
  }
  reading.release();
}

// Where direct writes are not seen, what was read just now is all that can be relied on: by this session alone, so that
// nobody else settles its charge.
bool lock_valid(Relation ledger, LWLockMode mode, Charge* charge = nullptr) {
  Database& here = this_database();
  const bool sees_writes = watched(ledger);
  for (bool fresh = sees_writes;; fresh = true) {
    if (fresh) {
      if (!lock(&here, mode, sees_writes ? charge : nullptr)) return false;
      if (hold(here, ledger)) return true;
      LWLockRelease(&here.lock);
    }
    read_for_all(ledger, !sees_writes);
  }
}

// Once, for all that charge after it.
void settle_here(Relation ledger) {
  Database& here = this_database();
  ReadingLock reading;
  LWLockAcquire(&here.lock, LW_SHARED);
  const bool unsettled = hold(here, ledger) && here.unsettled;
  const std::int64_t release = here.release;
  LWLockRelease(&here.lock);
  if (unsettled) {
    const std::optional<Settled> settled = last_settled();
    settle(settled ? settled->seq : 0, settled ? settled->release : release);
    LWLockAcquire(&here.lock, LW_EXCLUSIVE);
    here.unsettled = false;
    LWLockRelease(&here.lock);
  }
  reading.release();
}

}  // namespace

bool totals_installed() { return databases_installed(); }

bool lock_totals(Relation ledger, Charge* charge) {
  Database& here = this_database();
  add_pages_when_due(ledger);
  for (;;) {
    if (!lock_valid(ledger, LW_EXCLUSIVE, charge)) return false;
    if (!here.unsettled) return true;
    unlock_totals();
    settle_here(ledger);
  }
}

Doubt look_at_totals(std::span<Share> shares, TimestampTz now) {
  fill_in(this_database(), now, shares);
  return this_database().doubt;
}

void unlock_totals() { LWLockRelease(&this_database().lock); }

std::int64_t next_seq() { return ++this_database().seq; }

TimestampTz next_time(TimestampTz now) { return time_of_entry(&this_database(), now); }

std::int64_t next_release() { return ++this_database().release; }

void append_begins(Relation ledger, std::size_t accounts) {
  Database& here = this_database();
  make_room<Total>(&here.totals, static_cast<uint32>(accounts));
  here.valid = false;
  ++here.changes;
  aim_at_last_page(ledger);
}

void append_ended(Relation ledger, std::span<const Share> shares) {
  Database& here = this_database();
  note_last_page(ledger);
  Totals* const totals = totals_of(here);
  for (const Share& share : shares) {
    Total* const total = totals->enter(share.relation, share.account);
    total->spent += share.asked;
    total->charges += share.charges;
    if (share.is_older) continue;
    total->dated += share.asked;
    total->dated_charges += share.charges;
  }
  here.valid = true;
  if (here.direct_writers > 0 ||
      here.seq - here.checkpoint < std::max<std::int64_t>(kCheckpointEntries, totals->count()))
    return;
  due = true;
  here.checkpoint = here.seq;  // nobody else does it meanwhile
}

void turn(const Share& share, bool closed, std::int64_t seq) {
  Database& here = this_database();
  turn(totals_of(here)->enter(share.relation, share.account), closed, seq);
  ShutAccount* const end = here.shut + here.shut_count;
  here.shut_count =
      static_cast<int>(std::remove_if(here.shut, end,
                                      [&](const ShutAccount& account) {
                                        return account.relation == share.relation && account.account == share.account;
                                      }) -
                       here.shut);
}

void begin(const Share& share, std::int64_t seq) {
  totals_of(this_database())->enter(share.relation, share.account)->begun = seq;
}

namespace {

// Of what is locked and holds.
LedgerSums copy_of(const Database& here) {
  Totals& totals = *totals_of(here);
  LedgerSums sums(totals.count());
  sums.totals().take(totals);
  sums.seq = here.seq;
  sums.release = here.release;
  sums.charged_at = here.charged_at;
  return sums;
}

}  // namespace

// Skipped where it would have to wait or could not be written: the next one is due after as many entries.
void write_checkpoint_when_due(Relation ledger) {
  if (!due) return;
  due = false;
  if (IsInParallelMode() || !watched(ledger)) return;
  ReadingLock reading(false);
  if (!reading.held()) return;
  Database& here = this_database();
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp totals", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  LWLockAcquire(&here.lock, LW_SHARED);
  const bool worth = hold(here, ledger) && here.direct_writers == 0 && here.doubt == Doubt::none;
  const std::optional<LedgerSums> sums = worth ? std::optional(copy_of(here)) : std::nullopt;
  LWLockRelease(&here.lock);
  if (sums) write_checkpoint(*sums);
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
  reading.release();
}

LedgerSums begin_compaction(Relation ledger) {
  ReadingLock reading;  // until the end of the transaction
  require_none(look_up_totals(ledger, {}));
  Database& here = this_database();
  lock_valid(ledger, LW_SHARED);
  const int direct_writers = here.direct_writers;
  LedgerSums sums = copy_of(here);
  unlock_totals();
  if (direct_writers > 0) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE),
                    errmsg("a transaction is writing to dp.ledger_entry by hand: the ledger cannot be compacted now"),
                    errhint("Commit it or roll it back first.")));
  }
  write_checkpoint(sums);
  return sums;
}

void shut(std::span<const Share> shares) {
  Database& here = this_database();
  pg_atomic_fetch_add_u64(&here.counters.errors, 1);
  LWLockAcquire(&here.lock, LW_EXCLUSIVE);
  for (const Share& share : shares) {
    if (is_shut(here, share)) continue;
    here.all_shut = here.shut_count == kMostShut;
    if (!here.all_shut) here.shut[here.shut_count++] = {share.relation, share.account};
  }
  LWLockRelease(&here.lock);
}

bool are_all_shut() {
  Database& here = this_database();
  LWLockAcquire(&here.lock, LW_SHARED);
  const bool all = here.all_shut;
  LWLockRelease(&here.lock);
  return all;
}

namespace {

Doubt look_now(Relation ledger, std::span<Share> shares) {
  lock_valid(ledger, LW_SHARED);
  const Doubt doubt = look_at_totals(shares, GetCurrentTimestamp());
  unlock_totals();
  return doubt;
}

}  // namespace

Doubt look_up_totals(Relation ledger, std::span<Share> shares) {
  if (totals_installed() && !RecoveryInProgress()) {
    Doubt doubt = look_now(ledger, shares);
    if (std::any_of(shares.begin(), shares.end(), [](const Share& share) { return share.may_expire; })) {
      bring_expired(ledger, shares);
      doubt = look_now(ledger, shares);
    }
    return doubt;
  }
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp totals", ALLOCSET_DEFAULT_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  const LedgerSums sums = read_ledger(ledger, watched(ledger));
  for (Share& share : shares) fill_in(&sums.totals(), &share);
  count_in_periods(ledger, sums, shares);
  MemoryContextSwitchTo(outer);
  MemoryContextDelete(memory);
  return Doubt::none;  // nothing is charged there
}

namespace {

bool is_of(const Total& total, Oid relation, Oid role) {
  return OidIsValid(relation) ? total.relation == relation : total.account == role;
}

}  // namespace

std::span<Share> shares_of_table_or_role(Relation ledger, Oid relation, Oid role) {
  lock_valid(ledger, LW_SHARED);
  const Database& here = this_database();
  std::size_t count = 0;
  totals_of(here)->visit([&](const Total& total) { count += is_of(total, relation, role); });
  auto* const shares = static_cast<Share*>(palloc(count * sizeof(Share)));
  count = 0;
  totals_of(here)->visit([&](const Total& total) {
    if (is_of(total, relation, role)) shares[count++] = {total.relation, total.account, {}, {}};
  });
  fill_in(here, 0, {shares, count});
  unlock_totals();
  return {shares, count};
}

bool may_have_spent(Oid relation, Oid role) {
  if (!totals_installed() || RecoveryInProgress()) return true;
  const Database& here = this_database();
  LWLockAcquire(&this_database().lock, LW_SHARED);
  bool found = !here.valid;
  if (here.valid) totals_of(here)->visit([&](const Total& total) { found = found || is_of(total, relation, role); });
  LWLockRelease(&this_database().lock);
  return found;
}

std::int64_t settle_ledger(Relation ledger) {
  ReadingLock reading;
  const std::optional<Compaction> compaction = newest_compaction();
  const LedgerSums sums = read_ledger(ledger, watched(ledger) && !compaction);
  settle(sums.seq, sums.release);
  if (compaction || sums.carried.rows > 0)
    confirm_compaction({compaction ? compaction->seq : sums.seq, sums.kept, sums.carried});
  reading.release();
  invalidate_totals();
  return sums.seq;
}

void direct_writes_begin() {
  if (totals_installed()) {
    Database& here = this_database();
    LWLockAcquire(&here.lock, LW_EXCLUSIVE);
    ++here.direct_writers;
    LWLockRelease(&here.lock);
  }
  // A session that is writing a checkpoint has begun before that, and is waited for.
  ReadingLock reading;
  void_checkpoints();
  reading.release();
}

void direct_writes_end() {
  if (!totals_installed()) return;
  Database& here = this_database();
  LWLockAcquire(&here.lock, LW_EXCLUSIVE);
  --here.direct_writers;
  here.valid = false;
  ++here.changes;
  forget_expired(&here);
  LWLockRelease(&here.lock);
}

void invalidate_totals() {
  if (!totals_installed()) return;
  Database& here = this_database();
  LWLockAcquire(&here.lock, LW_EXCLUSIVE);
  here.valid = false;
  ++here.changes;
  forget_expired(&here);
  LWLockRelease(&here.lock);
}

void install_totals() { install_databases(); }

}  // namespace dp::budget
