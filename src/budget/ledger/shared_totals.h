// Running totals of the ledger in shared memory: what each account has spent, and the counters of its rows.
//
// Each database has a lock of its own, and check and append are one step under it. It is held for microseconds: the
// write-ahead log is flushed after it, and totals that are missing are read from the ledger's table without it, by one
// session for all that wait, each of which can be cancelled. A lock for each table would have to be taken in an order
// where a charge touches several totals and would gain nothing that could be measured beside the flush.
//
// Totals are worth nothing while a row is appended: an error in between leaves them so, and whoever comes next reads
// the ledger. They grow with the accounts, in memory that the server asks for when it needs it.
#pragma once

#include <span>

#include "budget/catalog/policy_rows.h"
#include "budget/ledger/place.h"
#include "budget/ledger/totals.h"
#include "core/accounting/renyi_filter.h"
#include "pg/server.h"

namespace dp::budget {

class LedgerSums;
struct Charge;

// What is asked of one account (InvalidOid: of the table as a whole) in how many charges, and what it has spent
// already.
struct Share {
  Oid relation;
  Oid account;
  Spending asked;
  Spending spent;
  bool closed = false;      // nothing is answered until a curator opens it again
  std::int64_t turned = 0;  // the ledger row that closed or opened it last; 0: none
  std::int64_t charges = 0;
  std::int64_t smallest = PG_INT64_MAX;  // the epsilon of the cheapest one of them
  std::int64_t charges_before = 0;
  bool counts_divergences = false;  // its limit is one of divergences, and so is its table's
  Conversion conversion{};          // of that limit
  Period period{};                  // of that limit: what is spent, and how often, is what counts in it
  bool may_expire = false;          // more of it may count no longer
  bool is_older = false;            // what is asked was spent before, in an earlier period
};

// Whether there are totals: the library was loaded at the server's start.
bool totals_installed();

// From lock_totals to unlock_totals an error may be raised at any point and is left to fly: the abort of the
// transaction releases the lock. `ledger` is dp.ledger_entry, opened and locked before, so that nobody waits for a
// table under our lock. With a charge it returns false where who had the lock has settled that meanwhile: then nothing
// is locked.
bool lock_totals(Relation ledger, Charge* charge = nullptr);
void unlock_totals();

// The following only under the lock.
// Fills in what the shares have spent and whether they are closed. Where it returns a doubt nothing is to be charged.
Doubt look_at_totals(std::span<Share> shares, TimestampTz now);

// From here on the totals are worth nothing; there is room for these accounts.
void append_begins(Relation ledger, std::size_t accounts);
std::int64_t next_seq();  // a new number for each row, after append_begins()
TimestampTz next_time(TimestampTz now);
std::int64_t next_release();
// ... until the rows are in the table and what was asked is added to the totals.
void append_ended(Relation ledger, std::span<const Share> shares);

// After append_ended(): a row of that number closed this account, or opened it.
void turn(const Share& share, bool closed, std::int64_t seq);

// A row of that number took off what another one of the account's number had spent.
void begin(const Share& share, std::int64_t seq);

// After unlock_totals(): once so many rows were appended that reading them would be felt, writes down what the ledger
// adds up to.
void write_checkpoint_when_due(Relation ledger);

// Until the end of the transaction nobody reads the ledger as a whole, nor writes to it by hand; charges go on. Returns
// what it adds up to, which was written down, so that no start begins with less. 55006 where somebody writes by hand,
// DP007 where the ledger is in doubt.
LedgerSums begin_compaction(Relation ledger);

// Closes accounts at once and in memory alone: for the moment until a row in the ledger says so, and until the server
// ends where that row cannot be written. Allocates nothing, so that it works when memory is short. Takes the lock.
void shut(std::span<const Share> shares);

// Whether there was no room for one more, so that all accounts of the database are closed until the server ends.
bool are_all_shut();

// As look_at_totals(), without keeping a lock. On a standby, where rows arrive by themselves, and where there are no
// totals, from the table: all shares at once.
Doubt look_up_totals(Relation ledger, std::span<Share> shares);

// All that is known of a table (as a whole, and each account on it), or of a role's accounts on all tables; the other
// number is InvalidOid. Palloc'd.
std::span<Share> shares_of_table_or_role(Relation ledger, Oid relation, Oid role);

// Whether there may be something; false is certain. Does not read the ledger where totals are missing, but says true.
bool may_have_spent(Oid relation, Oid role);

// Says that the ledger is all there and here from now on, as dp.confirm_ledger() does. Returns the number of the last
// entry that was counted.
std::int64_t settle_ledger(Relation ledger);

// This transaction writes to the ledger by hand: checkpoints are worth nothing from now on, none are written until
// direct_writes_end(), and neither are the totals.
void direct_writes_begin();
void direct_writes_end();

// This database's totals are worth nothing any more. Takes the lock.
void invalidate_totals();

// Requests shared memory and locks. Called once, from shared_preload_libraries.
void install_totals();

}  // namespace dp::budget
