// What the rows of the ledger add up to, read from its table.
#pragma once

#include "budget/catalog/ledger_rows.h"
#include "budget/ledger/carried.h"
#include "budget/ledger/place.h"
#include "budget/ledger/totals.h"

namespace dp::budget {

// In memory of this backend.
class LedgerSums {
 public:
  explicit LedgerSums(uint32 accounts);

  void add(const LedgerRow& row);

  // The account, entered where it is not there yet.
  Total* total(Oid relation, Oid account);

  Totals& totals() const { return *totals_; }

  std::int64_t seq = 0;                   // the highest so far
  std::int64_t release = 0;               // the highest so far
  TimestampTz charged_at = PG_INT64_MIN;  // the latest so far
  std::int64_t checkpoint = 0;            // the entry up to which they were added up already; 0: all were read
  std::int64_t rows = 0;                  // that were read
  std::int64_t took = 0;                  // in milliseconds
  Doubt doubt = Doubt::none;              // whether these are all entries that there ever were
  Carried carried;                        // where all were read: the rows of that kind
  std::int64_t kept = 0;                  // and the others up to the last compaction, or all where there was none

 private:
  Totals* totals_;
};

// What entries add up to that are no longer counted in a period, from one number on.
struct ExpiredSums {
  LedgerSums sums;
  TimestampTz next;  // before then no other entry was written; the newest there is, where all of them were read
};

// Of those with a number above `after` up to the first one that was written after `until`. Nothing where the ledger
// has lost its index.
ExpiredSums read_expired(Relation ledger, std::int64_t after, TimestampTz until);

// Of all that is in force now: the newest checkpoint and what came after it, or where there is none, the whole table.
// XX001 where a row was not written by a charge. Can be cancelled. `watched`: whether direct writes made themselves
// known, so that a checkpoint holds.
LedgerSums read_ledger(Relation ledger, bool watched);

}  // namespace dp::budget
