#include "budget/ledger/ledger_sums.h"

#include <algorithm>
#include <optional>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/checkpoint.h"

namespace dp::budget {
namespace {

// Who asks waits for it, and a DBA wants to know why.
constexpr int kWorthALine = 1000;  // milliseconds

Totals* new_totals(uint32 slots) { return Totals::make(palloc_extended(Totals::bytes(slots), MCXT_ALLOC_HUGE), slots); }

// No charge gives anything back: a row that would was written or changed by hand, and what it hides is not known.
void require_sound(const LedgerRow& row) {
  const std::int64_t least =
      std::min({row.paid.epsilon, row.paid.delta, row.table.epsilon, row.table.delta, row.release});
  if (least >= 0 && row.seq > 0 && OidIsValid(row.relation)) return;
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
};

// The number of rows, and how many of them have to be there.
struct Counted {
  std::int64_t rows = 0;
  std::int64_t after = 0;
};

Counted add_all(LedgerScan scan, std::int64_t after, LedgerSums* sums) {
  Counted counted;
  for (LedgerRow row; scan.next(&row); ++counted.rows) {
    CHECK_FOR_INTERRUPTS();
    require_sound(row);
    sums->add(row);
    if (row.seq > after) ++counted.after;
  }
  return counted;
}

// An error may have left a number twice, the first time without an answer; never is one left out.
bool is_complete(const Known& known, const LedgerSums& sums, const Counted& counted) {
  const std::int64_t highest = std::max(sums.seq, known.seq);
  return counted.after >= highest - known.seq && highest >= known.seen;
}

Doubt doubt_about(const Known& known, const LedgerSums& sums, const Counted& counted, bool watched) {
  if (!watched) return Doubt::unwatched;
  if (!is_complete(known, sums, counted)) return Doubt::entries_missing;
  return known.release > sums.release ? Doubt::release_unknown : Doubt::none;
}

}  // namespace

LedgerSums::LedgerSums(uint32 accounts) : totals_(new_totals(Totals::slots_for(accounts))) {}

Total* LedgerSums::total(Oid relation, Oid account) {
  if (!totals_->has_room(1)) {
    Totals* const larger = new_totals(2 * totals_->slots());
    larger->take(*totals_);
    pfree(totals_);
    totals_ = larger;
  }
  return totals_->enter(relation, account);
}

void LedgerSums::add(const LedgerRow& row) {
  seq = std::max(seq, row.seq);
  release = std::max(release, row.release);
  if (const auto closed = row.turns()) turn(total(row.relation, row.subject()), *closed, row.seq);
  const bool ended = row.ends_books();
  dp::budget::add(&total(row.relation, InvalidOid)->spent, ended ? -row.table : row.table);
  if (OidIsValid(row.account)) dp::budget::add(&total(row.relation, row.account)->spent, ended ? -row.paid : row.paid);
}

LedgerSums read_ledger(Relation ledger, bool watched) {
  const TimestampTz begun = GetCurrentTimestamp();
  const std::optional<Settled> settled = last_settled();
  const std::int64_t highest_release =
      highest_number(own_tables().release_part);  // before the entries: these come first
  Known known = {settled ? settled->seq : 0, 0, 0};
  Relation const index = watched ? number_index(ledger) : nullptr;
  const std::optional<LedgerSums> before = newest_checkpoint(&known.seen);
  const bool begins_there = index != nullptr && before;
  LedgerSums sums = begins_there ? *before : LedgerSums(0);
  known.seq = std::max(known.seq, sums.seq);
  if (!settled || highest_release > settled->release) known.release = highest_release;
  const Counted counted =
      begins_there
          ? add_all(LedgerScan(ledger, index, sums.seq + 1, PG_INT64_MAX, ForwardScanDirection), known.seq, &sums)
          : add_all(LedgerScan(ledger), known.seq, &sums);
  if (index != nullptr) index_close(index, AccessShareLock);
  require_sound(sums.totals());
  sums.doubt = doubt_about(known, sums, counted, watched);
  // Numbers go on behind all that there ever were.
  sums.seq = std::max({sums.seq, known.seq, known.seen});
  sums.release = std::max({sums.release, highest_release, settled ? settled->release : 0});
  sums.rows = counted.rows;
  sums.took = TimestampDifferenceMilliseconds(begun, GetCurrentTimestamp());
  if (sums.took >= kWorthALine) {
    ereport(LOG_SERVER_ONLY, (errmsg("pg_dp read %lld entries of its ledger in %lld ms",
                                     static_cast<long long>(sums.rows), static_cast<long long>(sums.took))));
  }
  return sums;
}

}  // namespace dp::budget
