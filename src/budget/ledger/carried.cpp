#include "budget/ledger/carried.h"

#include <iterator>

#include "budget/catalog/decimal.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/ledger/totals.h"

namespace dp::budget {
namespace {

enum Column {
  kNumber = 1,
  kDoneAt,
  kDoneBy,
  kBefore,
  kSeq,
  kFolded,
  kKept,
  kRows,
  kEntries,
  kEpsilon,
  kDelta,
  kTableEpsilon,
  kTableDelta,
  kFingerprint,
  kSize
};

std::uint64_t fingerprint(std::uint64_t before, const Spending& spending) {
  if (spending.is_rough()) return before;
  const auto& at = spending.divergences.at;
  const std::uint64_t sums = hash_bytes_extended(reinterpret_cast<const unsigned char*>(at.data()), sizeof at, before);
  const std::int64_t unbounded = spending.divergences.unbounded;
  if (unbounded == 0) return sums;
  return hash_bytes_extended(reinterpret_cast<const unsigned char*>(&unbounded), sizeof unbounded, sums);
}

// Of one row. Numbers alone, without gaps between them; divergences where they stand in it.
std::uint64_t fingerprint(const LedgerRow& row) {
  const std::int64_t values[] = {row.seq,        row.role,          row.account,     row.relation, row.paid.epsilon,
                                 row.paid.delta, row.table.epsilon, row.table.delta, row.release,  row.entries};
  const std::uint64_t sums = hash_bytes_extended(reinterpret_cast<const unsigned char*>(values), sizeof values, 0);
  return fingerprint(fingerprint(sums, row.paid), row.table);
}

void write(const Compaction& compaction, std::int64_t folded, const TimestampTz* before, Lasting lasting) {
  const Oid table = own_tables().ledger_compaction;
  const Carried& carried = compaction.carried;
  const Datum values[] = {Int64GetDatum(highest_number(table) + 1),
                          TimestampTzGetDatum(GetCurrentTimestamp()),
                          CStringGetTextDatum(role_name(GetUserId())),
                          before != nullptr ? TimestampTzGetDatum(*before) : Datum{0},
                          Int64GetDatum(compaction.seq),
                          Int64GetDatum(folded),
                          Int64GetDatum(compaction.kept),
                          Int64GetDatum(carried.rows),
                          Int64GetDatum(carried.entries),
                          epsilon_numeric(carried.paid.epsilon),
                          delta_numeric(carried.paid.delta),
                          epsilon_numeric(carried.table.epsilon),
                          delta_numeric(carried.table.delta),
                          Int64GetDatum(static_cast<std::int64_t>(carried.fingerprint))};
  static_assert(std::size(values) == kSize - 1);
  bool nulls[std::size(values)] = {};
  nulls[kBefore - 1] = before == nullptr;
  append_row(table, values, nulls, lasting);
}

}  // namespace

void Carried::add(const LedgerRow& row) {
  ++rows;
  entries += row.entries;
  fingerprint += budget::fingerprint(row);
  paid += row.paid;
  table += row.table;
}

std::optional<Compaction> newest_compaction() {
  NumberedRows row(own_tables().ledger_compaction, std::nullopt, BackwardScanDirection);
  if (!row.next()) return std::nullopt;
  Compaction newest = {row.whole(kSeq), row.whole(kKept), {}};
  newest.carried.rows = row.whole(kRows);
  newest.carried.entries = row.whole(kEntries);
  newest.carried.fingerprint = static_cast<std::uint64_t>(row.whole(kFingerprint));
  row.close();
  return newest;
}

void write_compaction(const Compaction& compaction, std::int64_t folded, TimestampTz before) {
  write(compaction, folded, &before, Lasting::with_transaction);
}

void confirm_compaction(const Compaction& compaction) { write(compaction, 0, nullptr, Lasting::at_once); }

}  // namespace dp::budget
