#include "budget/ledger/ledger_sums.h"

#include <algorithm>
#include <optional>

#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/checkpoint.h"

namespace dp::budget {
namespace {

// Who asks waits for it, and a DBA wants to know why.
constexpr int kWorthALine = 1000;  // milliseconds

Totals* new_totals(uint32 slots) {
  return Totals::make(palloc_extended(Totals::bytes(slots), MCXT_ALLOC_HUGE), slots);
}

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

std::int64_t add_all(LedgerScan scan, LedgerSums* sums) {
  std::int64_t rows = 0;
  for (LedgerRow row; scan.next(&row); ++rows) {
    CHECK_FOR_INTERRUPTS();
    require_sound(row);
    sums->add(row);
  }
  return rows;
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
  if (const auto closed = row.turns()) return turn(total(row.relation, row.subject()), *closed, row.seq);
  dp::budget::add(&total(row.relation, InvalidOid)->spent, row.table);
  if (OidIsValid(row.account)) dp::budget::add(&total(row.relation, row.account)->spent, row.paid);
}

LedgerSums read_ledger(Relation ledger, bool trusted) {
  const TimestampTz begun = GetCurrentTimestamp();
  Relation const index = trusted ? number_index(ledger) : nullptr;
  const std::optional<LedgerSums> known = index != nullptr ? newest_checkpoint() : std::nullopt;
  LedgerSums sums = known ? *known : LedgerSums(0);
  const std::int64_t rows =
      known ? add_all(LedgerScan(ledger, index, sums.seq + 1, PG_INT64_MAX, ForwardScanDirection), &sums)
            : add_all(LedgerScan(ledger), &sums);
  if (index != nullptr) index_close(index, AccessShareLock);
  const long took = TimestampDifferenceMilliseconds(begun, GetCurrentTimestamp());
  if (took >= kWorthALine) {
    ereport(LOG_SERVER_ONLY, (errmsg("pg_dp read %lld entries of its ledger in %ld ms", static_cast<long long>(rows), took)));
  }
  return sums;
}

}  // namespace dp::budget
