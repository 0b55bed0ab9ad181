// The ledger: what was charged, to whom, for what. Append-only, durable, and blind to transactions.
//
// An entry is in force from the moment it is appended: it survives ROLLBACK, savepoints, cancel and crashes, is written
// in READ ONLY transactions too, and every session sees it at once, whatever its snapshot. Way: the row is inserted
// frozen, as a sequence's is, and made durable (durable.h). Running totals stand in shared memory, one for each table
// and account, read from the ledger with SnapshotSelf where they are missing or stale; check and append are one step
// under a lock, the flush comes after it.
#pragma once

#include <span>

#include "budget/catalog/durable.h"
#include "budget/catalog/ledger_rows.h"
#include "budget/ledger/shared_totals.h"
#include "budget/policy/accounts.h"

namespace dp::budget {

// In the place of a release's number: the charge is the first of a release and gives it one, above all that the ledger
// mentions.
inline constexpr std::int64_t kNewRelease = -1;

struct Entry {
  Payer payer;
  const char* kind;      // 'query', 'relax', 'share', 'lent'
  Cost account;          // what the role's account pays (what was asked, where there is no account)
  Cost table;            // what the table as a whole pays
  std::int64_t release;  // its number, or kNewRelease; 0 where none is kept
  const char* query;     // the text of the statement; cut to a length that needs no TOAST
  std::optional<Limit> limit = std::nullopt;  // of the table, where it was read together with the payer's
  TimestampTz before = PG_INT64_MAX;          // the amounts hold for a charge that is made before that moment
};

// A list of palloc'd Entry as one array. Palloc'd.
std::span<const Entry> entries_of(List* entries);

// Raises DP001 unless all entries together fit the accounts they name, and each statement limit; DP005 where one is
// closed; DP007 where the ledger is in doubt. Charges nothing. The message says what was asked, what is left and whose
// account is short.
void require_room(std::span<const Entry> entries);

// Whether the limits of an account or a table are reached before all entries together are charged: what require_room()
// would raise DP001 for, a statement's own limit aside.
bool is_exhausted(std::span<const Entry> entries);

// Raises 22023, as charging them does, where an account that adds up epsilon would have to pay for what has none.
void require_counted(std::span<const Entry> entries);

// How often all entries together could be charged, one statement after the other; PG_INT64_MAX: always. 0 too where an
// account is closed or a rule of its limit is against it.
std::int64_t times_left(std::span<const Entry> entries);

// Checks again and appends: all of them, or raises one of these and charges nothing where an account is short. Entries
// of one release, not none. Needs a transaction id that was assigned before any parallel operation began
// (`prepare_to_charge`). Returns the number of the release.
std::int64_t append(std::span<const Entry> entries);

// Takes such a charge back, of an account's, whose limits the entry has: nothing was done for it. Charges of others are
// no matter.
void withdraw(const Entry& entry);

// Appends rows that no question asked for, whatever limits and doubts say, and gives them their numbers. `shares` are
// the accounts that they are about, one for each row, with what is to be added to what these have spent. Else as
// append().
void append_unasked(std::span<Share> shares, std::span<LedgerRow> rows);

// Makes sure that append() can work in this transaction: not in recovery, a transaction id at hand. Raises an error
// that says what to do instead.
void prepare_to_charge();

// What was charged so far to the table as a whole (account InvalidOid) or to a role's account on it.
Spending spent(Oid relation, Oid account);

// Fills in what stands in the totals, or where there are none, in the ledger. Where it returns a doubt nothing is
// charged.
Doubt read_totals(std::span<Share> shares);

// DP007 where the ledger is in doubt.
void require_confirmed();

// Requests shared memory and locks. Called once, from shared_preload_libraries.
void install_ledger();

}  // namespace dp::budget
