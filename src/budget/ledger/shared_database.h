// What the sessions of one database share about its ledger, in shared memory.
#pragma once

#include "budget/ledger/place.h"
#include "budget/ledger/totals.h"
#include "pg/shared_memory.h"

namespace dp::budget {

// An account that is closed though the ledger does not say so: that row could not be written.
struct ShutAccount {
  Oid relation;
  Oid account;
};

// With more of them everything in the database is closed.
inline constexpr int kMostShut = 64;

// Of one database, for as long as the server runs. Everything below `lock` is read and written under it.
struct Database {
  Oid oid;
  dsa_pointer next;

  LWLock lock;
  bool valid;             // whether what follows holds
  std::uint64_t changes;  // how often it was no longer so
  Oid file;               // the ledger's file that was read
  std::int64_t seq;       // the highest so far
  std::int64_t release;
  TimestampTz read_at;  // when the ledger was read last, how many entries, in how many milliseconds
  std::int64_t read_entries;
  std::int64_t read_took;
  std::int64_t checkpoint;  // the entry up to which the ledger's sums were written down
  dsa_pointer totals;       // a Totals
  Doubt doubt;              // whether anything may be charged
  bool unsettled;           // a row has to say first that the ledger is here
  int direct_writers;       // transactions that write to the ledger by hand
  bool all_shut;
  int shut_count;
  ShutAccount shut[kMostShut];
};

// Whether there is shared memory: the library was loaded at the server's start.
bool databases_installed();

// That of this session, found or made. Raises an error where memory is short; not after it has returned once.
Database& this_database();

Totals* totals_of(const Database& database);

// For so many more accounts, under the lock.
void make_room(Database* database, uint32 accounts);

// A copy in shared memory, and its end.
dsa_pointer shared_copy(Totals& totals);
void free_shared(dsa_pointer memory);

// Requests shared memory and locks. Called once, from shared_preload_libraries.
void install_databases();

}  // namespace dp::budget
