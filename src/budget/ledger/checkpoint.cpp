#include "budget/ledger/checkpoint.h"

#include <algorithm>
#include <cstring>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"

namespace dp::budget {
namespace {

enum Column { kNumber = 1, kSeq, kRelease, kTotals };

// What stands before the totals: that of a library with other totals is not read. No relation has the number 0, with
// which totals began when nothing stood before them.
struct Head {
  Oid none = InvalidOid;
  uint32 size_of_a_total = sizeof(Total);
  TimestampTz charged_at = PG_INT64_MIN;  // of the newest entry

  bool is_known() const { return none == InvalidOid && size_of_a_total == sizeof(Total); }
};

// Totals lie there one behind the other, as they do in memory: a server's files are never another machine's.
Datum bytes_of(Totals& totals, TimestampTz charged_at) {
  const Size size = VARHDRSZ + sizeof(Head) + Size{totals.count()} * sizeof(Total);
  auto* const bytes = static_cast<struct varlena*>(palloc(size));
  SET_VARSIZE(bytes, size);
  Head head;
  head.charged_at = charged_at;
  std::memcpy(VARDATA(bytes), &head, sizeof head);
  char* end = VARDATA(bytes) + sizeof head;
  totals.visit([&end](const Total& total) {
    std::memcpy(end, &total, sizeof(Total));
    end += sizeof(Total);
  });
  return PointerGetDatum(bytes);
}

// Nothing where another version of the library has written it.
std::optional<LedgerSums> sums_of(const NumberedRows& row) {
  const auto* const bytes = PG_DETOAST_DATUM_PACKED(row.value(kTotals));
  const char* at = VARDATA_ANY(bytes);
  const char* const end = at + VARSIZE_ANY_EXHDR(bytes);
  Head head;
  if (end - at < static_cast<std::ptrdiff_t>(sizeof head)) return std::nullopt;
  std::memcpy(&head, at, sizeof head);
  if (!head.is_known()) return std::nullopt;
  at += sizeof head;
  const auto size = static_cast<Size>(end - at);
  if (size % sizeof(Total) != 0) elog(ERROR, "row %lld of dp.ledger_total is damaged", (long long)row.whole(kNumber));
  LedgerSums sums(static_cast<uint32>(size / sizeof(Total)));
  for (; at < end; at += sizeof(Total)) {
    Total total;
    std::memcpy(&total, at, sizeof(Total));
    *sums.total(total.relation, total.account) = total;
  }
  sums.seq = sums.checkpoint = row.whole(kSeq);
  sums.release = row.whole(kRelease);
  sums.charged_at = head.charged_at;
  return sums;
}

}  // namespace

std::optional<LedgerSums> newest_checkpoint(std::int64_t* seen) {
  *seen = 0;
  NumberedRows newest(own_tables().ledger_total, std::nullopt, BackwardScanDirection);
  if (!newest.next()) return std::nullopt;
  *seen = newest.whole(kSeq);
  const std::optional<LedgerSums> sums = newest.is_null(kTotals) ? std::nullopt : sums_of(newest);
  newest.close();
  return sums;
}

void write_checkpoint(const LedgerSums& sums) {
  const std::int64_t number = highest_number(own_tables().ledger_total) + 1;
  Datum const bytes = bytes_of(sums.totals(), sums.charged_at);
  append_frozen(own_tables().ledger_total,
                {Int64GetDatum(number), Int64GetDatum(sums.seq), Int64GetDatum(sums.release), bytes});
  pfree(DatumGetPointer(bytes));
  // Some may still be reading the one before. What another transaction deletes stays if that one rolls back.
  Relation const table = table_open(own_tables().ledger_total, RowExclusiveLock);
  for (NumberedRows row(own_tables().ledger_total); row.next();) {
    if (row.whole(kNumber) < number - 1) row.try_to_remove();
  }
  table_close(table, RowExclusiveLock);
}

void void_checkpoints() {
  const Tables& own = own_tables();
  std::int64_t seen;
  newest_checkpoint(&seen);
  seen = std::max(seen, highest_number(own.ledger_entry));
  append_frozen(own.ledger_total,
                {Int64GetDatum(highest_number(own.ledger_total) + 1), Int64GetDatum(seen), Int64GetDatum(0), Datum{0}},
                kTotals - 1);
}

}  // namespace dp::budget
