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

// No charge gives anything back: a row that would was written or changed by hand, and what it hides is not known.
void require_sound(const LedgerRow& row) {
  const std::int64_t least =
      std::min({row.paid.epsilon, row.paid.delta, row.table.epsilon, row.table.delta, row.release});
  if (least >= 0 && row.seq > 0 && row.entries > 0 && OidIsValid(row.relation)) return;
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("entry %lld of the ledger was not written by a charge: its number or an amount is too small",
                         static_cast<long long>(row.seq)),
                  errhint("Set it right as a superuser, from a backup: TABLE dp.ledger_entry; shows it.")));
}

// What was taken off had been spent.
void require_sound(const Totals& totals) {
  const_cast<Totals&>(totals).visit([](const Total& total) {
    if (total.spent.epsilon >= 0 && total.spent.delta >= 0) return;
    ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                    errmsg("entries of kind '%s' take more off table %s than was charged", kDropped,
                           relation_name(total.relation)),
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

// Returns how many of the rows have a number after that one.
std::int64_t add_all(LedgerScan scan, const Known& known, LedgerSums* sums, LongWork* work) {
  const std::int64_t compacted = known.compaction ? known.compaction->seq : std::numeric_limits<std::int64_t>::max();
  std::int64_t after = 0;
  for (LedgerRow row; scan.next(&row); ++sums->rows) {
    work->step();
    require_sound(row);
    sums->add(row);
    if (row.is_carried()) {
      sums->carried.add(row);
    } else {
      if (row.seq <= compacted) ++sums->kept;
      if (row.seq > known.seq) ++after;
    }
  }
  return after;
}

// An error may have left a number twice, the first time without an answer; never is one left out.
bool is_complete(const Known& known, const LedgerSums& sums, std::int64_t after) {
  const std::int64_t highest = std::max(sums.seq, known.seq);
  return after >= highest - known.seq && highest >= known.seen;
}

// What was folded is there as it was written, and so is what had to stay beside it. Only where all rows were read.
bool is_carried_on(const Known& known, const LedgerSums& sums) {
  if (!known.compaction) return sums.carried == Carried{};
  const Carried& was = known.compaction->carried;
  return sums.carried.rows == was.rows && sums.carried.entries == was.entries &&
         sums.carried.fingerprint == was.fingerprint && sums.kept >= known.compaction->kept;
}

Doubt doubt_about(const Known& known, const LedgerSums& sums, std::int64_t after, bool watched) {
  if (!watched) return Doubt::unwatched;
  if (!is_complete(known, sums, after)) return Doubt::entries_missing;
  if (sums.checkpoint == 0 && !is_carried_on(known, sums)) return Doubt::carried_changed;
  return known.release > sums.release ? Doubt::release_unknown : Doubt::none;
}

}  // namespace

LedgerSums::LedgerSums(uint32 accounts) : totals_(Totals::make(Totals::slots_for(accounts))) {}

Total* LedgerSums::total(Oid relation, Oid account) { return Totals::enter(&totals_, relation, account); }

void LedgerSums::add(const LedgerRow& row) {
  seq = std::max(seq, row.seq);
  release = std::max(release, row.release);
  const bool ended = row.ends_books();
  if (const auto closed = row.turns()) {
    turn(total(row.relation, row.subject()), *closed, row.seq);
    if (!ended) return;
  }
  const auto add_to = [&](Oid account, const Amount& amount) {
    Total* const sum = total(row.relation, account);
    dp::budget::add(&sum->spent, ended ? -amount : amount);
    sum->charges += ended ? -row.entries : row.entries;
  };
  // Of a charge the account and the table have one row, of what is moved one each.
  const bool of_account_alone = OidIsValid(row.account) && (ended || row.continues());
  if (!of_account_alone) add_to(InvalidOid, row.table);
  if (OidIsValid(row.account)) add_to(row.account, row.paid);
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
  const std::int64_t after =
      begins_there
          ? add_all(LedgerScan(ledger, index, sums.seq + 1, PG_INT64_MAX, ForwardScanDirection), known, &sums, &work)
          : add_all(LedgerScan(ledger), known, &sums, &work);
  if (index != nullptr) index_close(index, AccessShareLock);
  require_sound(sums.totals());
  sums.doubt = doubt_about(known, sums, after, watched);
  // Numbers go on behind all that there ever were.
  sums.seq = std::max({sums.seq, known.seq, known.seen});
  sums.release = std::max({sums.release, highest, settled ? settled->release : 0});
  sums.took = work.end();
  return sums;
}

}  // namespace dp::budget
