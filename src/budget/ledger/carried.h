// Rows of dp.ledger_compaction: which entries were folded, and what the rows have to be that stand for them.
//
// dp.compact_ledger() leaves a row of kind 'carried' in the place of the entries of one account by one role on one
// table. Entries that are missing put the ledger in doubt, and the same holds for carried rows: they have to be those
// that the newest row of dp.ledger_compaction tells of, each as it was written.
#pragma once

#include <optional>

#include "budget/catalog/ledger_rows.h"

namespace dp::budget {

// Some carried rows together.
struct Carried {
  std::int64_t rows = 0;
  std::int64_t entries = 0;       // charges that they stand for
  std::uint64_t fingerprint = 0;  // of all that is in them, whatever their order
  Spending paid;                  // by accounts; a sum beyond 63 bits stays at their end
  Spending table;                 // by tables

  void add(const LedgerRow& row);

  friend bool operator==(const Carried&, const Carried&) = default;
};

struct Compaction {
  std::int64_t seq;   // entries up to this one were folded, or kept
  std::int64_t kept;  // rows up to there that are not carried: of accounts that were closed or opened
  Carried carried;
};

// The newest one; nothing where there was none.
std::optional<Compaction> newest_compaction();

// Writes down a compaction that folded so many entries, with the transaction: `before` is what its caller said.
void write_compaction(const Compaction& compaction, std::int64_t folded, TimestampTz before);

// Writes down that a superuser has confirmed the carried rows as they are. Frozen, as the confirmation is.
void confirm_compaction(const Compaction& compaction);

}  // namespace dp::budget
