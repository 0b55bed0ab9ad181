// The rows of dp.ledger_entry as they lie in the table.
#pragma once

#include <optional>

#include "core/accounting/loss.h"
#include "pg/server.h"

namespace dp::budget {

struct LedgerRow {
  std::int64_t seq;
  TimestampTz charged_at;  // never before that of a lower number: where the clock was put back, that one's
  Oid role;
  Oid account;  // InvalidOid: none
  Oid relation;
  Datum kind;                // text
  Spending paid;             // by the account
  Spending table;            // by the table as a whole
  std::int64_t release;      // 0: none
  Datum query;               // text; 0: none
  std::int64_t entries = 1;  // of a carried row: how many it stands for
  Losses losses = {};        // of an account that counts divergences: how what it paid was lost, from which the
  Losses table_losses = {};  // divergences follow; and of its table. None of a row that carries sums

  // Whose row it is where it closes or opens: an account, or a role that has none.
  Oid subject() const { return OidIsValid(account) ? account : role; }

  // Whether the row closed or opened its subject; nothing for a charge.
  std::optional<bool> turns() const;

  // Whether its amounts are taken off again: they were spent by what had the number of the table or role before.
  bool ends_books() const;

  // Whether its amounts are taken off again: what they were charged for was not done after all.
  bool is_withdrawn() const;

  // Whether it carries amounts over from the table that this one replaces. The table has a row of its own.
  bool continues() const;

  // Of these: whether it was spent in an earlier period, as budgets for a period count.
  bool is_older() const;

  // Whether it stands for entries that were folded (carried.h in budget/ledger).
  bool is_carried() const;
};

// Kinds of rows that charge nothing.
inline constexpr const char* kClosed = "closed";
inline constexpr const char* kReopened = "reopened";

// Those that a table or an account begins with: what another table has spent that it goes on for; and what was spent
// under its number by one that was dropped.
inline constexpr const char* kContinued = "continued";
inline constexpr const char* kContinuedOlder = "continued older";
inline constexpr const char* kDropped = "dropped";

// What another server was charged for rows that it reads (ledger/lent_rows.h), and what of it was taken back.
inline constexpr const char* kLent = "lent";
inline constexpr const char* kWithdrawn = "withdrawn";

// The kind of a row that stands for several charges.
inline constexpr const char* kCarried = "carried";

// All other columns take less than 200 bytes with a tuple's header.
inline constexpr int kQueryBytes = 1600;

// A query's text as the ledger keeps it: cut, where a character ends, to a length that needs no TOAST beside the
// losses. 0 for none.
Datum ledger_text(const char* query, const Losses& losses = {}, const Losses& table_losses = {});

// Divergences as the ledger and its kin store them: bigint[], and 0, which is NULL, where they follow from epsilon
// (rough_divergences()).
Datum divergences_datum(const Spending& spending);
Datum divergences_array(const Divergences& divergences);
Divergences divergences_of(Datum array);

// Whether the ledger needs its column of that number; others may have been added.
bool is_ledger_column(int number);

HeapTuple form_ledger_row(Relation ledger, const LedgerRow& row);

// Every row that is in force now: frozen ones of whatever transaction, and those of transactions that have committed or
// are this one. Takes no predicate lock, so that a charge conflicts with no reader. The texts of a row last until the
// next one.
class LedgerScan {
 public:
  // In the order in which they lie in the table.
  explicit LedgerScan(Relation ledger);

  // Those with a number in that range, in the order of their numbers or against it, by `index` (number_index() of the
  // ledger).
  LedgerScan(Relation ledger, Relation index, std::int64_t from, std::int64_t to, ScanDirection direction);

  bool next(LedgerRow* row);  // false: that was the last one, and the scan is closed

  // Once, instead of going to the end.
  void close();

  // Deletes the row that next() gave, in a scan of all of them: as every statement would, for others once the
  // transaction commits. Under a RowExclusiveLock on the ledger.
  void remove() { simple_heap_delete(ledger_, &at_); }

 private:
  HeapTuple next_tuple();

  Relation ledger_;
  TableScanDesc scan_ = nullptr;
  IndexScanDesc by_number_ = nullptr;
  ScanDirection direction_ = ForwardScanDirection;
  TupleTableSlot* slot_ = nullptr;
  Datum* values_;
  bool* nulls_;
  ItemPointerData at_;
};

}  // namespace dp::budget
