#include "budget/ledger/shared_totals.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "budget/catalog/ledger_rows.h"

namespace dp::budget {
namespace {

constexpr const char* kName = "pg_dp";
// Accounts of all databases that are kept at once, in one megabyte; with more, totals are rebuilt often.
constexpr int kTotals = 16384;
constexpr int kDatabases = 256;

struct Key {
  Oid database;
  Oid relation;
  Oid account;
};

struct Total {
  Key key;
  Amount spent;
  bool closed;          // as the ledger says
  bool shut;            // closed, and the ledger does not know
  std::int64_t turned;  // as in Share
};

struct Database {
  Oid oid;
  Oid file;          // the ledger's file: another table, TRUNCATE, VACUUM FULL and their rollback bring another one
  bool valid;        // whether this and the totals of the database hold
  bool complete;     // every account in the ledger has its total here, so that one without has spent nothing
  std::int64_t seq;  // the highest so far
  std::int64_t release;
};

LWLock* lock = nullptr;  // nullptr where the library was not preloaded
HTAB* totals;
HTAB* databases;
Database* here;  // this database, under the lock

shmem_request_hook_type next_request = nullptr;
shmem_startup_hook_type next_startup = nullptr;

// Direct writes can drive a sum beyond 63 bits: it stays at the largest number, and nothing fits any more.
void add(std::int64_t* sum, std::int64_t more) {
  if (__builtin_add_overflow(*sum, more, sum)) *sum = std::numeric_limits<std::int64_t>::max();
}

void add(Amount* sum, const Amount& more) {
  add(&sum->epsilon, more.epsilon);
  add(&sum->delta, more.delta);
}

Total* total_of(Oid relation, Oid account, HASHACTION action) {
  const Key key = {MyDatabaseId, relation, account};
  bool found;
  auto* const total = static_cast<Total*>(hash_search(totals, &key, action, &found));
  if (total != nullptr && !found) *total = {total->key, {}, false, false, 0};
  return total;
}

// The row with the highest number decides, wherever it lies in the table.
template <class Account>
void turn(Account* account, bool closed, std::int64_t seq) {
  if (seq < account->turned) return;
  account->closed = closed;
  account->turned = seq;
}

template <class Element, class Match>
void remove_if(HTAB* table, Match match) {
  HASH_SEQ_STATUS status;
  hash_seq_init(&status, table);
  while (void* const element = hash_seq_search(&status)) {
    if (match(*static_cast<Element*>(element)))
      hash_search(table, element, HASH_REMOVE, nullptr);  // the key comes first
  }
}

// A new total of zero. Where the table is full, totals of other databases are removed; nullptr where this database
// alone fills it.
Total* enter(Oid relation, Oid account) {
  if (Total* const total = total_of(relation, account, HASH_ENTER_NULL)) return total;
  remove_if<Database>(databases, [](const Database& database) { return database.oid != MyDatabaseId; });
  remove_if<Total>(totals, [](const Total& total) { return total.key.database != MyDatabaseId && !total.shut; });
  return total_of(relation, account, HASH_ENTER_NULL);
}

void enter_database() {
  bool found;
  here = static_cast<Database*>(hash_search(databases, &MyDatabaseId, HASH_ENTER_NULL, &found));
  if (here == nullptr) {
    remove_if<Database>(databases, [](const Database&) { return true; });
    here = static_cast<Database*>(hash_search(databases, &MyDatabaseId, HASH_ENTER, &found));
  }
  if (!found) here->valid = false;
}

// No charge has a negative amount: a row with one was written or changed by hand, so the ledger cannot be relied on.
void require_sound(const LedgerRow& row) {
  const std::int64_t least =
      std::min({row.paid.epsilon, row.paid.delta, row.table.epsilon, row.table.delta, row.release});
  if (least >= 0 && row.seq > 0) return;
  ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                  errmsg("entry %lld of the ledger was not written by a charge: its number or an amount is too small",
                         static_cast<long long>(row.seq)),
                  errhint("Set it right as a superuser, from a backup: TABLE dp.ledger_entry; shows it.")));
}

// Rebuilds all totals of this database from the whole ledger. Totals of the shares are entered first, so that they have
// room in any case.
void rebuild(Relation ledger, std::span<const Share> shares) {
  here->valid = false;
  here->complete = true;
  here->file = ledger->rd_node.relNode;
  here->seq = here->release = 0;
  remove_if<Total>(totals, [](Total& total) {
    if (total.key.database == MyDatabaseId && total.shut) total = {total.key, {}, false, true, 0};
    return total.key.database == MyDatabaseId && !total.shut;
  });
  for (const Share& share : shares) {
    if (enter(share.relation, share.account) != nullptr) continue;
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many budgets in one statement"),
                    errhint("Ask about fewer tables at once.")));
  }
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    require_sound(row);
    here->seq = std::max(here->seq, row.seq);
    here->release = std::max(here->release, row.release);
    const auto find = [](Oid relation, Oid account) {
      Total* total = total_of(relation, account, HASH_FIND);
      if (total == nullptr && here->complete) total = enter(relation, account);
      if (total == nullptr)
        here->complete = false;  // and no total is entered any more, since its earlier rows would be missing in it
      return total;
    };
    if (const auto closed = row.turns()) {
      if (Total* const total = find(row.relation, row.subject())) turn(total, *closed, row.seq);
      continue;
    }
    if (Total* const total = find(row.relation, InvalidOid)) add(&total->spent, row.table);
    if (!OidIsValid(row.account)) continue;
    if (Total* const total = find(row.relation, row.account)) add(&total->spent, row.paid);
  }
  here->valid = !RecoveryInProgress();  // on a standby rows arrive by replication, and nobody adds them to the totals
}

// Reads the totals of the shares. False where one is missing here, so that the ledger has to be read.
bool read(std::span<Share> shares) {
  for (Share& share : shares) {
    const Total* total = total_of(share.relation, share.account, HASH_FIND);
    if (total == nullptr && here->complete) total = enter(share.relation, share.account);
    if (total == nullptr) return false;
    share.spent = total->spent;
    share.closed = total->closed || total->shut;
    share.turned = total->turned;
  }
  return true;
}

// Whether direct writes to the table are noticed: its trigger must be enabled ALWAYS. A restore with --disable-triggers
// leaves it enabled in another mode; from then on totals are rebuilt each time.
bool watched(Relation ledger) {
  const TriggerDesc* const triggers = ledger->trigdesc;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    if (std::string_view(trigger.tgname) == "ledger_written" && trigger.tgenabled == TRIGGER_FIRES_ALWAYS) return true;
  }
  return false;
}

void request() {
  if (next_request != nullptr) next_request();
  RequestAddinShmemSpace(
      add_size(hash_estimate_size(kTotals, sizeof(Total)), hash_estimate_size(kDatabases, sizeof(Database))));
  RequestNamedLWLockTranche(kName, 1);
}

HTAB* shared_table(const char* name, int elements, Size key_size, Size size) {
  HASHCTL control = {};
  control.keysize = key_size;
  control.entrysize = size;
  return ShmemInitHash(name, elements, elements, &control, HASH_ELEM | HASH_BLOBS | HASH_FIXED_SIZE);
}

void startup() {
  if (next_startup != nullptr) next_startup();
  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  totals = shared_table("pg_dp totals", kTotals, sizeof(Key), sizeof(Total));
  databases = shared_table("pg_dp databases", kDatabases, sizeof(Oid), sizeof(Database));
  LWLockRelease(AddinShmemInitLock);
  lock = &GetNamedLWLockTranche(kName)->lock;
}

}  // namespace

bool totals_installed() { return lock != nullptr; }

void lock_totals(Relation ledger, std::span<Share> shares) {
  LWLockAcquire(lock, LW_EXCLUSIVE);
  enter_database();
  if (here->valid && here->file == ledger->rd_node.relNode && watched(ledger) && read(shares)) return;
  rebuild(ledger, shares);
  read(shares);
}

void unlock_totals() { LWLockRelease(lock); }

std::int64_t next_seq() { return ++here->seq; }

std::int64_t next_release() { return ++here->release; }

void append_begins() { here->valid = false; }

void append_ended(std::span<const Share> shares) {
  for (const Share& share : shares) add(&total_of(share.relation, share.account, HASH_FIND)->spent, share.asked);
  here->valid = true;
}

void turn(std::span<const Share> shares, bool closed, std::int64_t seq) {
  for (const Share& share : shares) {
    Total* const total = total_of(share.relation, share.account, HASH_FIND);
    total->closed = closed;
    total->shut = false;
    total->turned = seq;
  }
}

void shut(std::span<const Share> shares) {
  LWLockAcquire(lock, LW_EXCLUSIVE);
  enter_database();
  for (const Share& share : shares) {
    Total* total = total_of(share.relation, share.account, HASH_FIND);
    if (total == nullptr) {
      here->valid = false;  // what the account has spent is not known
      total = enter(share.relation, share.account);
    }
    if (total != nullptr) total->shut = true;
  }
  LWLockRelease(lock);
}

void forget_totals() {
  if (lock == nullptr) return;
  LWLockAcquire(lock, LW_EXCLUSIVE);
  hash_search(databases, &MyDatabaseId, HASH_REMOVE, nullptr);
  LWLockRelease(lock);
}

void sum_ledger(Relation ledger, std::span<Share> shares) {
  for (Share& share : shares) share = {share.relation, share.account, share.asked, {}};
  LedgerScan scan(ledger);
  for (LedgerRow row; scan.next(&row);) {
    require_sound(row);
    const auto closed = row.turns();
    for (Share& share : shares) {
      if (share.relation != row.relation) continue;
      if (closed && share.account == row.subject()) turn(&share, *closed, row.seq);
      if (!OidIsValid(share.account)) add(&share.spent, row.table);
      if (OidIsValid(share.account) && share.account == row.account) add(&share.spent, row.paid);
    }
  }
}

void install_totals() {
  next_request = shmem_request_hook;
  shmem_request_hook = request;
  next_startup = shmem_startup_hook;
  shmem_startup_hook = startup;
}

}  // namespace dp::budget
