// Running totals of the ledger in shared memory: what each account has spent, and the counters of its rows.
//
// One lock guards the totals of all databases, and check and append are one step under it. It is held for microseconds,
// because the write-ahead log is flushed after it; a lock for each table would have to be taken in an order where a
// charge touches several totals and would gain nothing that could be measured beside the flush. The lock is held longer
// only while totals are rebuilt: by one scan of the ledger, after a start of the server and after a direct write to the
// table.
//
// Totals are worth nothing while a row is appended: an error in between leaves them so, and whoever comes next rebuilds
// them.
#pragma once

#include <span>

#include "core/accounting/amount.h"
#include "pg/server.h"

namespace dp::budget {

// What is asked of one account (InvalidOid: of the table as a whole), and what it has spent already.
struct Share {
  Oid relation;
  Oid account;
  Amount asked;
  Amount spent;
  bool closed = false;      // nothing is answered until a curator opens it again
  std::int64_t turned = 0;  // the ledger row that closed or opened it last; 0: none
};

// Whether there are totals: the library was loaded at the server's start.
bool totals_installed();

// From lock_totals to unlock_totals an error may be raised at any point and is left to fly: the abort of the
// transaction releases the lock. `ledger` is dp.ledger_entry, opened and locked before, so that nobody waits for a
// table under our lock. Fills in what the shares have spent and whether they are closed.
void lock_totals(Relation ledger, std::span<Share> shares);
void unlock_totals();

// The following only under the lock.

// From here on the totals are worth nothing, until append_ended(): an error in between leaves them to be rebuilt.
void append_begins();

// New numbers for rows and releases, after append_begins().
std::int64_t next_seq();
std::int64_t next_release();

// The rows are in the table: adds what was asked to the totals.
void append_ended(std::span<const Share> shares);

// After append_ended(): a row of that number closed these accounts, or opened them.
void turn(std::span<const Share> shares, bool closed, std::int64_t seq);

// Closes accounts at once and in memory alone: for the moment until a row in the ledger says so, and until the server
// ends where that row cannot be written. Allocates nothing, so that it works when memory is short. Takes the lock.
void shut(std::span<const Share> shares);

// This database's totals are worth nothing any more. Takes the lock.
void forget_totals();

// The same as lock_totals fills in, computed from the table alone; for servers in recovery, where rows arrive by
// themselves, and where there are no totals.
void sum_ledger(Relation ledger, std::span<Share> shares);

// Requests shared memory and the lock. Called once, from shared_preload_libraries.
void install_totals();

}  // namespace dp::budget
