// What the sessions of one database share about its ledger, in shared memory.
#pragma once

#include <cstring>
#include <utility>

#include "budget/catalog/policy_rows.h"
#include "budget/ledger/counters.h"
#include "budget/ledger/place.h"
#include "budget/ledger/totals.h"
#include "budget/ledger/waiting_charges.h"
#include "pg/shared_memory.h"

namespace dp::budget {

// An account that is closed though the ledger does not say so: that row could not be written.
struct ShutAccount {
  Oid relation;
  Oid account;
};

// With more of them everything in the database is closed.
inline constexpr int kMostShut = 64;

// What may take long (long_work.h).
enum class Work : std::uint8_t { reading, compacting, counting, forgetting };
inline constexpr int kWorks = 4;

struct Progress {
  volatile int pid;  // 0: nobody does it now
  volatile std::int64_t done;
  TimestampTz since;
};

// What the entries add up to that are out of a period (expiry.h).
struct Expired {
  Period period;
  dsa_pointer next;
  dsa_pointer totals;       // a Totals; invalid: nothing was read
  std::int64_t seq;         // of entries up to this one
  std::int64_t compacted;   // as the ledger was after that compaction
  TimestampTz last;         // when the newest of them was written
  TimestampTz first_after;  // before then none of the others was
};

// Of one database, for as long as the server runs. What stands below a lock is read and written under it.
struct Database {
  Oid oid;
  dsa_pointer next;
  Counters counters;
  Progress progress[kWorks];
  pg_atomic_uint32 begun_page;  // of the ledger, by its last row; InvalidBlockNumber: none since it was looked at

  WaitingCharges waiting;  // for `lock`

  LWLock lock;
  bool valid;             // whether what follows holds
  std::uint64_t changes;  // how often it was no longer so
  Oid file;               // the ledger's file that was read
  BlockNumber last_page;  // of it, where the last row went; InvalidBlockNumber: not known
  std::int64_t seq;       // the highest so far
  std::int64_t release;
  TimestampTz charged_at;  // when entry `seq` was written
  dsa_pointer expired;     // the first Expired
  std::uint64_t readings;  // how often entries were changed, or read anew
  TimestampTz read_at;     // when the ledger was read last, how many entries, in how many milliseconds
  std::int64_t read_entries;
  std::int64_t read_took;
  std::int64_t checkpoint;  // the entry up to which the ledger's sums were written down
  dsa_pointer totals;       // a Totals
  TimestampTz forgot_at;    // when releases that are kept no longer were looked for last
  Doubt doubt;              // whether anything may be charged
  bool unsettled;           // a row has to say first that the ledger is here
  int direct_writers;       // transactions that write to the ledger by hand
  bool all_shut;
  int shut_count;
  ShutAccount shut[kMostShut];

  LWLock stored_lock;
  dsa_pointer stored;  // what is stored of whom (budget/release/stored_numbers.cpp)
  bool stored_known;   // whether that holds
};

// Whether there is shared memory: the library was loaded at the server's start.
bool databases_installed();

// That of this session, found or made. Raises an error where memory is short; not after it has returned once.
Database& this_database();

// Memory that the server asks for when it is needed.
void* shared_address(dsa_pointer memory);
dsa_pointer shared_block(Size size);
void free_shared(dsa_pointer memory);

inline Totals* totals_of(const Database& database) { return static_cast<Totals*>(shared_address(database.totals)); }

// A copy in shared memory.
template <class Value>
dsa_pointer shared_copy(const Slots<Value>& table) {
  const Size size = Slots<Value>::bytes(table.slots());
  const dsa_pointer memory = shared_block(size);
  std::memcpy(shared_address(memory), static_cast<const void*>(&table), size);
  return memory;
}

// For so many more values, under the lock.
template <class Value>
void make_room(dsa_pointer* place, uint32 more) {
  auto* const table = static_cast<Slots<Value>*>(shared_address(*place));
  if (table->has_room(more)) return;
  const uint32 slots = Slots<Value>::slots_for(table->count() + more);
  const dsa_pointer memory = shared_block(Slots<Value>::bytes(slots));
  Slots<Value>::make(shared_address(memory), slots)->take(*table);
  free_shared(std::exchange(*place, memory));
}

// Requests shared memory and locks. Called once, from shared_preload_libraries.
void install_databases();

}  // namespace dp::budget
