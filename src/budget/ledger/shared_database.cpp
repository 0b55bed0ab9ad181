#include "budget/ledger/shared_database.h"

namespace dp::budget {
namespace {

// Locks of the same name, as pg_stat_activity shows them to who waits.
constexpr const char* kDatabases = "pg_dp databases";
constexpr const char* kLedger = "pg_dp ledger";
constexpr const char* kNumbers = "pg_dp numbers";
constexpr const char* kMemory = "pg_dp memory";

// In the server's own shared memory. The rest is asked for by the session that comes first.
struct Directory {
  LWLock* lock;
  int ledger_tranche;
  int numbers_tranche;
  int memory_tranche;
  bool made;
  dsa_handle area;
  dsa_pointer first;  // of the databases
};

Directory* directory = nullptr;  // null where the library was not loaded at the server's start
dsa_area* area = nullptr;        // of this session
Database* here = nullptr;

shmem_request_hook_type next_request = nullptr;
shmem_startup_hook_type next_startup = nullptr;

void request() {
  if (next_request != nullptr) next_request();
  RequestAddinShmemSpace(sizeof(Directory));
  for (const char* const name : {kDatabases, kLedger, kNumbers, kMemory}) RequestNamedLWLockTranche(name, 1);
}

void startup() {
  if (next_startup != nullptr) next_startup();
  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  bool found;
  directory = static_cast<Directory*>(ShmemInitStruct("pg_dp", sizeof(Directory), &found));
  if (!found) {
    *directory = {&GetNamedLWLockTranche(kDatabases)->lock,
                  GetNamedLWLockTranche(kLedger)->lock.tranche,
                  GetNamedLWLockTranche(kNumbers)->lock.tranche,
                  GetNamedLWLockTranche(kMemory)->lock.tranche,
                  false,
                  DSM_HANDLE_INVALID,
                  InvalidDsaPointer};
  }
  LWLockRelease(AddinShmemInitLock);
}

// Under the directory's lock. The area lives as long as the server, and its mapping as long as this session.
dsa_area* attach() {
  MemoryContext const outer = MemoryContextSwitchTo(TopMemoryContext);
  dsa_area* const mapped = directory->made ? dsa_attach(directory->area) : dsa_create(directory->memory_tranche);
  MemoryContextSwitchTo(outer);
  if (!directory->made) {
    dsa_pin(mapped);
    directory->area = dsa_get_handle(mapped);
    directory->made = true;
  }
  dsa_pin_mapping(mapped);
  return mapped;
}

Database* at(dsa_pointer memory) { return static_cast<Database*>(dsa_get_address(area, memory)); }

Database* find() {
  for (dsa_pointer memory = directory->first; DsaPointerIsValid(memory); memory = at(memory)->next) {
    if (at(memory)->oid == MyDatabaseId) return at(memory);
  }
  return nullptr;
}

Database* make() {
  const dsa_pointer memory = dsa_allocate0(area, sizeof(Database));
  Database* const database = at(memory);
  database->oid = MyDatabaseId;
  database->counters.init();
  pg_atomic_init_u32(&database->begun_page, InvalidBlockNumber);
  database->waiting.init();
  LWLockInitialize(&database->lock, directory->ledger_tranche);
  LWLockInitialize(&database->stored_lock, directory->numbers_tranche);
  database->next = directory->first;
  directory->first = memory;
  return database;
}

}  // namespace

bool databases_installed() { return directory != nullptr; }

Database& this_database() {
  if (here != nullptr) return *here;
  // Sessions that begin together need not wait for each other, but for the first one.
  LWLockAcquire(directory->lock, LW_SHARED);
  if (directory->made && area == nullptr) area = attach();
  if (area != nullptr) here = find();
  LWLockRelease(directory->lock);
  if (here != nullptr) return *here;
  LWLockAcquire(directory->lock, LW_EXCLUSIVE);
  if (area == nullptr) area = attach();
  Database* const found = find();
  here = found != nullptr ? found : make();
  LWLockRelease(directory->lock);
  return *here;
}

void* shared_address(dsa_pointer memory) { return dsa_get_address(area, memory); }

dsa_pointer shared_block(Size size) { return dsa_allocate_extended(area, size, DSA_ALLOC_HUGE); }

void free_shared(dsa_pointer memory) {
  if (DsaPointerIsValid(memory)) dsa_free(area, memory);
}

void install_databases() {
  next_request = shmem_request_hook;
  shmem_request_hook = request;
  next_startup = shmem_startup_hook;
  shmem_startup_hook = startup;
}

}  // namespace dp::budget
