#include "budget/ledger/ledger_sums.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/checkpoint.h"
#include "budget/ledger/long_work.h"

namespace dp::budget {
namespace {

bool is_sound(const Spending& spending) {
  const auto& at = spending.divergences.at;
  return spending.epsilon >= 0 && spending.delta >= 0 && spending.divergences.unbounded >= 0 &&
         *std::min_element(at.begin(), at.end()) >= 0;
}

// No charge gives anything back: a row that would was written or changed by hand, and what it hides is not known.
void require_sound(const LedgerRow& row) {
  if (is_sound(row.paid) && is_sound(row.table) && row.release >= 0 && row.seq > 0 && row.entries > 0 &&
      OidIsValid(row.relation))
    return;
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("entry %lld of the ledger was not written by a charge: its number or an amount is too small",
                         static_cast<long long>(row.seq)),
                  errhint("Set it right as a superuser, from a backup: TABLE dp.ledger_entry; shows it.")));
}

// What was taken off had been spent.
void require_sound(const Totals& totals) {
  const_cast<Totals&>(totals).visit([](const Total& total) {
    if (is_sound(total.spent)) return;
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                    errmsg("entries of kinds '%s' and '%s' take more off table %s than was charged", kDropped,
                           kWithdrawn, relation_name(total.relation)),
                    errhint("Set them right as a superuser, from a backup: TABLE dp.ledger_entry; shows them.")));
  });
}

// Which entries there have to be.
struct Known {
  std::int64_t seq;   // after this one each number
  std::int64_t seen;  // the highest that there was once
  std::int64_t release;
  std::optional<Compaction> compaction;
};

// Of the rows that have a number after the one that is known.
struct Numbers {
  std::int64_t count = 0;
  std::uint64_t sum = 0;  // modulo 2^64
};

Numbers add_all(LedgerScan scan, const Known& known, LedgerSums* sums, LongWork* work) {
  const std::int64_t compacted = known.compaction ? known.compaction->seq : std::numeric_limits<std::int64_t>::max();
  Numbers after;
  for (LedgerRow row; scan.next(&row); ++sums->rows) {
    work->step();
    require_sound(row);
    sums->add(row);
    if (row.is_carried()) {
      sums->carried.add(row);
    } else {
      if (row.seq <= compacted) ++sums->kept;
      if (row.seq <= known.seq) continue;
      ++after.count;
      after.sum += static_cast<std::uint64_t>(row.seq);
    }
  }
  return after;
}

// Whether each number from `first` to `last` stands in a row, by reading them once more. There are as many rows.
bool has_each(Relation ledger, std::int64_t first, std::int64_t last, LongWork* work) {
  const auto numbers = static_cast<Size>(last - first + 1);
  auto* const there = static_cast<bool*>(palloc_extended(numbers, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO));
  Size found = 0;
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    work->step();
    if (row.is_carried() || row.seq < first || row.seq > last) continue;
    found += there[row.seq - first] ? 0 : 1;
    there[row.seq - first] = true;
  }
  pfree(there);
  return found == numbers;
}

// An error may have left a number twice, the first time without an answer; never is one left out. One that is there
// twice makes up for none: then the sum tells, or all are looked for.
bool is_complete(Relation ledger, const Known& known, const LedgerSums& sums, const Numbers& after, LongWork* work) {
  const std::int64_t highest = std::max(sums.seq, known.seq);
  const std::int64_t expected = highest - known.seq;
  if (after.count < expected || highest < known.seen) return false;
  const __int128 sum = static_cast<__int128>(expected) * (known.seq + 1 + static_cast<__int128>(highest)) / 2;
  return (after.count == expected && after.sum == static_cast<std::uint64_t>(sum)) ||
         has_each(ledger, known.seq + 1, highest, work);
}

// What was folded is there as it was written, and so is what had to stay beside it. Only where all rows were read.
bool is_carried_on(const Known& known, const LedgerSums& sums) {
  if (!known.compaction) return sums.carried == Carried{};
  const Carried& was = known.compaction->carried;
  return sums.carried.rows == was.rows && sums.carried.entries == was.entries &&
         sums.carried.fingerprint == was.fingerprint && sums.kept == known.compaction->kept;
}

Doubt doubt_about(Relation ledger, const Known& known, const LedgerSums& sums, const Numbers& after, LongWork* work) {
  if (!is_complete(ledger, known, sums, after, work)) return Doubt::entries_missing;
  if (sums.checkpoint == 0 && !is_carried_on(known, sums)) return Doubt::carried_changed;
  return known.release > sums.release ? Doubt::release_unknown : Doubt::none;
}

}  // namespace

LedgerSums::LedgerSums(uint32 accounts) : totals_(Totals::make(Totals::slots_for(accounts))) {}

Total* LedgerSums::total(Oid relation, Oid account) { return Totals::enter(&totals_, relation, account); }

void LedgerSums::add(const LedgerRow& row) {
  seq = std::max(seq, row.seq);
  charged_at = std::max(charged_at, row.charged_at);
  release = std::max(release, row.release);
  const bool ended = row.ends_books();
  if (const auto closed = row.turns()) {
    turn(total(row.relation, row.subject()), *closed, row.seq);
    if (!ended) return;
  }
  const bool taken_off = ended || row.is_withdrawn();
  const bool dated = !row.is_older();
  const auto add_to = [&](Oid account, const Spending& spending) {
    Total one{};
    one.spent = taken_off ? -spending : spending;
    one.charges = taken_off ? -row.entries : row.entries;
    if (dated) {
      one.dated = one.spent;
      one.dated_charges = one.charges;
    }
    one.begun = ended ? row.seq : 0;
    budget::add(total(row.relation, account), one);
  };
  // Of a charge the account and the table have one row, of what is moved one each.
  const bool of_account_alone = OidIsValid(row.account) && (ended || row.continues());
  if (!of_account_alone) add_to(InvalidOid, row.table);
  if (OidIsValid(row.account)) add_to(row.account, row.paid);
}

ExpiredSums read_expired(Relation ledger, std::int64_t after, TimestampTz until) {
  ExpiredSums expired = {LedgerSums(0), GetCurrentTimestamp()};
  Relation const index = number_index(ledger);
  if (index == nullptr) return expired;
  LongWork work(Work::reading);
  LedgerScan scan(ledger, index, after + 1, PG_INT64_MAX, ForwardScanDirection);
  for (LedgerRow row; scan.next(&row);) {
    work.step();
    if (row.charged_at > until) {
      expired.next = row.charged_at;
      scan.close();
      break;
    }
    expired.sums.add(row);
  }
  index_close(index, AccessShareLock);
  work.end();
  return expired;
}

LedgerSums read_ledger(Relation ledger, bool watched) {
  LongWork work(Work::reading);
  const std::optional<Settled> settled = last_settled();
  // Before the entries: these come first.
  const std::int64_t highest_release = highest_number(own_tables().release_part);
  std::int64_t highest = highest_release;
  for (const Oid table : own_tables().of_releases()) highest = std::max(highest, highest_number(table));
  Known known = {settled ? settled->seq : 0, 0, 0, newest_compaction()};
  Relation const index = watched ? number_index(ledger) : nullptr;
  const std::optional<LedgerSums> before = newest_checkpoint(&known.seen);
  const std::int64_t compacted = known.compaction ? known.compaction->seq : 0;
  const bool begins_there = index != nullptr && before && before->seq >= compacted;
  LedgerSums sums = begins_there ? *before : LedgerSums(0);
  known.seq = std::max({known.seq, sums.seq, compacted});
  if (!settled || highest_release > settled->release) known.release = highest_release;
  const Numbers after =
      begins_there
          ? add_all(LedgerScan(ledger, index, sums.seq + 1, PG_INT64_MAX, ForwardScanDirection), known, &sums, &work)
          : add_all(LedgerScan(ledger), known, &sums, &work);
  if (index != nullptr) index_close(index, AccessShareLock);
  require_sound(sums.totals());
  sums.doubt = watched ? doubt_about(ledger, known, sums, after, &work) : Doubt::unwatched;
  // Numbers go on behind all that there ever were.
  sums.seq = std::max({sums.seq, known.seq, known.seen});
  sums.release = std::max({sums.release, highest, settled ? settled->release : 0});
  sums.took = work.end();
  return sums;
}

}  // namespace dp::budget
