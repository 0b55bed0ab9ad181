#include "budget/publish/workers.h"

#include <algorithm>
#include <cstdint>

#include "budget/catalog/extension_catalog.h"
#include "budget/publish/publications.h"
#include "pg/background.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr const char* kName = "pg_dp publishes";
constexpr int kMostSeconds = 86400;
constexpr std::int64_t kLongest = USECS_PER_HOUR;  // after which a database is looked at again, whatever was known

int interval = 60;  // in seconds

// One publication must not hold up others: by a query that does not end, by a lock that somebody keeps.
constexpr int kMostMilliseconds = 10 * 60 * 1000;
constexpr const char* kLockTimeout = "10s";
constexpr int kMostTried = 1000;

// When something is due next in a database, as its worker has said. Where there are too many databases some are looked
// at each time.
struct Due {
  Oid database;
  TimestampTz at;
};
constexpr int kDatabases = 256;

struct Shared {
  slock_t lock;
  Latch* launcher;
  int count;
  Due due[kDatabases];
};
Shared* shared = nullptr;

shmem_request_hook_type next_request = nullptr;
shmem_startup_hook_type next_startup = nullptr;

void request() {
  if (next_request != nullptr) next_request();
  RequestAddinShmemSpace(sizeof(Shared));
}

void startup() {
  if (next_startup != nullptr) next_startup();
  LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
  bool found;
  shared = static_cast<Shared*>(ShmemInitStruct(kName, sizeof(Shared), &found));
  if (!found) {
    memset(static_cast<void*>(shared), 0, sizeof(Shared));
    SpinLockInit(&shared->lock);
  }
  LWLockRelease(AddinShmemInitLock);
}

void note_due(Oid database, TimestampTz at) {
  SpinLockAcquire(&shared->lock);
  Due* const end = shared->due + shared->count;
  Due* const one = std::find_if(shared->due, end, [=](const Due& due) { return due.database == database; });
  if (one != end) {
    one->at = at;
  } else if (shared->count < kDatabases) {
    shared->due[shared->count++] = {database, at};
  }
  SpinLockRelease(&shared->lock);
}

TimestampTz due_at(Oid database) {
  SpinLockAcquire(&shared->lock);
  const Due* const end = shared->due + shared->count;
  const Due* one = shared->due;
  while (one != end && one->database != database) ++one;
  const TimestampTz at = one == end ? PG_INT64_MIN : one->at;
  SpinLockRelease(&shared->lock);
  return at;
}

void begin_transaction() {
  SetCurrentStatementStartTimestamp();
  StartTransactionCommand();
  PushActiveSnapshot(GetTransactionSnapshot());
}

void end_transaction() {
  PopActiveSnapshot();
  CommitTransactionCommand();
}

// ---- in one database ------------------------------------------------------------------------------------------------

struct Next {
  std::int64_t id;  // of the publication that is due; 0: none is
  TimestampTz at;   // when one is due next; PG_INT64_MAX: never
};

// Those that have failed since this worker began, also where that could not be written down.
struct Tried {
  std::int64_t ids[kMostTried];
  int count = 0;

  bool has(std::int64_t id) const { return std::find(ids, ids + count, id) != ids + count; }
};

// That which has waited longest. One that failed waits before it is tried again.
Next next_publication(const Tried& tried) {
  Next next{0, PG_INT64_MAX};
  if (tried.count == kMostTried) return next;
  begin_transaction();
  as_owner_of_tables([&] {
    if (SPI_execute(
            "SELECT publication_id, next_run FROM dp_internal.publication_runs ORDER BY next_run, publication_id", true,
            kMostTried) != SPI_OK_SELECT)
      elog(ERROR, "could not read dp.publication");
    for (std::uint64_t i = 0; i < SPI_processed; ++i) {
      bool null;
      const auto value = [&](int column) {
        return SPI_getbinval(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, column, &null);
      };
      if (tried.has(DatumGetInt64(value(1)))) continue;
      next.at = DatumGetTimestampTz(value(2));
      if (next.at <= GetCurrentTimestamp()) next.id = DatumGetInt64(value(1));
      break;
    }
  });
  end_transaction();
  return next;
}

void publish(std::int64_t id) {
  begin_transaction();
  const Publication* const publication = lock_publication(id, InvalidOid);
  if (publication != nullptr) {
    // Who drops its table ends it.
    if (!relation_exists(publication->relation)) {
      remove_publication(*publication);
    } else {
      publish_next(*publication);
    }
  }
  end_transaction();
}

void note_failure(std::int64_t id, const ErrorData* error) {
  begin_transaction();
  Oid types[] = {INT8OID, TEXTOID, TEXTOID};
  Datum values[] = {Int64GetDatum(id), CStringGetTextDatum(unpack_sql_state(error->sqlerrcode)),
                    CStringGetTextDatum(error->message == nullptr ? "" : error->message)};
  as_owner_of_tables([&] {
    if (SPI_execute_with_args("UPDATE dp.publication SET failures = failures OPERATOR(pg_catalog.+) 1, failed_at = "
                              "pg_catalog.clock_timestamp(), last_sqlstate = $2, last_error = $3 WHERE publication_id "
                              "OPERATOR(pg_catalog.=) (SELECT publication_id FROM dp.publication WHERE publication_id "
                              "OPERATOR(pg_catalog.=) $1 FOR UPDATE SKIP LOCKED)",
                              3, types, values, nullptr, false, 0) != SPI_OK_UPDATE)
      elog(ERROR, "could not write to dp.publication");
  });
  end_transaction();
}

// False where it failed.
bool publish_or_note(std::int64_t id) {
  MemoryContext const memory = AllocSetContextCreate(TopMemoryContext, "publication", ALLOCSET_DEFAULT_SIZES);
  MemoryContextSwitchTo(memory);
  bool done = true;
  try {
    pg::call([id] {
      enable_timeout_after(STATEMENT_TIMEOUT, kMostMilliseconds);
      publish(id);
      disable_timeout(STATEMENT_TIMEOUT, false);
    });
  } catch (const pg::PostgresError& error) {
    done = false;
    const ErrorData* const data = error.data;
    pg::call([=] {
      disable_timeout(STATEMENT_TIMEOUT, false);
      QueryCancelPending = false;
      AbortOutOfAnyTransaction();
      ereport(LOG, (errmsg("publication %lld was not published: %s", static_cast<long long>(id), data->message)));
      note_failure(id, data);
    });
  }
  MemoryContextSwitchTo(TopMemoryContext);
  MemoryContextDelete(memory);
  return done;
}

bool has_publications() {
  begin_transaction();
  const Tables* const own = tables();
  const bool there =
      own != nullptr && OidIsValid(get_relname_relid("publication", get_rel_namespace(own->ledger_entry)));
  end_transaction();
  return there;
}

// As the superuser that the server began with.
void work(Oid database) {
  BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
  if (!pg::call(has_publications)) return note_due(database, PG_INT64_MAX);
  SetConfigOption("lock_timeout", kLockTimeout, PGC_SUSET, PGC_S_OVERRIDE);
  Tried tried;
  Next next{};
  do {
    note_due(database, PG_INT64_MAX);  // what changes from here on is looked at anew
    next = pg::call([&] { return next_publication(tried); });
    if (next.id != 0 && !publish_or_note(next.id)) tried.ids[tried.count++] = next.id;
    pg::call([] { CHECK_FOR_INTERRUPTS(); });
  } while (next.id != 0);
  // Those that failed are due again after a minute at least.
  if (tried.count > 0) next.at = std::min(next.at, GetCurrentTimestamp() + USECS_PER_MINUTE);
  if (due_at(database) == PG_INT64_MAX) note_due(database, next.at);
}

// ---- the launcher ---------------------------------------------------------------------------------------------------

// oid: all that one may connect to.
List* databases() {
  MemoryContext const memory = CurrentMemoryContext;
  List* found = NIL;
  begin_transaction();
  Relation const catalog = table_open(DatabaseRelationId, AccessShareLock);
  TableScanDesc const scan = table_beginscan_catalog(catalog, 0, nullptr);
  for (HeapTuple row = heap_getnext(scan, ForwardScanDirection); HeapTupleIsValid(row);
       row = heap_getnext(scan, ForwardScanDirection)) {
    const auto* const database = reinterpret_cast<Form_pg_database>(GETSTRUCT(row));
    if (!database->datallowconn || database->datistemplate) continue;
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    found = lappend_oid(found, database->oid);
    MemoryContextSwitchTo(outer);
  }
  table_endscan(scan);
  table_close(catalog, AccessShareLock);
  end_transaction();
  MemoryContextSwitchTo(memory);
  return found;
}

void fill_in(BackgroundWorker* worker, const char* function) {
  strlcpy(worker->bgw_name, kName, sizeof worker->bgw_name);
  strlcpy(worker->bgw_type, kName, sizeof worker->bgw_type);
  strlcpy(worker->bgw_library_name, "pg_dp", sizeof worker->bgw_library_name);
  strlcpy(worker->bgw_function_name, function, sizeof worker->bgw_function_name);
  worker->bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
  worker->bgw_start_time = BgWorkerStart_RecoveryFinished;
}

// One at a time. Where all workers are busy, the next time.
void start_worker(Oid database) {
  BackgroundWorker worker{};
  fill_in(&worker, "dp_publish_beside");
  worker.bgw_restart_time = BGW_NEVER_RESTART;
  worker.bgw_main_arg = ObjectIdGetDatum(database);
  worker.bgw_notify_pid = MyProcPid;
  BackgroundWorkerHandle* handle;
  if (!RegisterDynamicBackgroundWorker(&worker, &handle)) return;
  if (WaitForBackgroundWorkerShutdown(handle) == BGWH_POSTMASTER_DIED) proc_exit(1);
  pfree(handle);
}

void look_round() {
  ListCell* cell;
  const TimestampTz now = GetCurrentTimestamp();
  foreach (cell, databases()) {
    const TimestampTz at = due_at(lfirst_oid(cell));
    CHECK_FOR_INTERRUPTS();
    if (at <= now) start_worker(lfirst_oid(cell));
  }
}

// What is known holds for an hour: a dump may have brought publications.
void forget_what_is_known() {
  SpinLockAcquire(&shared->lock);
  shared->count = 0;
  SpinLockRelease(&shared->lock);
}

void launch() {
  BackgroundWorkerInitializeConnectionByOid(InvalidOid, InvalidOid, 0);
  shared->launcher = MyLatch;
  MemoryContext const memory = AllocSetContextCreate(TopMemoryContext, kName, ALLOCSET_DEFAULT_SIZES);
  TimestampTz forgot = GetCurrentTimestamp();
  while (true) {
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
    if (ConfigReloadPending) {
      ConfigReloadPending = false;
      ProcessConfigFile(PGC_SIGHUP);
    }
    if (GetCurrentTimestamp() - forgot > kLongest) {
      forget_what_is_known();
      forgot = GetCurrentTimestamp();
    }
    MemoryContextSwitchTo(memory);
    if (interval > 0) look_round();
    MemoryContextSwitchTo(TopMemoryContext);
    MemoryContextReset(memory);
    const long wait = interval > 0 ? interval * 1000L : -1;
    WaitLatch(MyLatch, WL_LATCH_SET | WL_EXIT_ON_PM_DEATH | (wait > 0 ? WL_TIMEOUT : 0), wait, PG_WAIT_EXTENSION);
  }
}

// ---- after a change -------------------------------------------------------------------------------------------------

bool wakes = false;

void at_end(XactEvent event, void*) {
  if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT) return;
  if (wakes && event == XACT_EVENT_COMMIT) {
    note_due(MyDatabaseId, 0);
    if (shared->launcher != nullptr) SetLatch(shared->launcher);
  }
  wakes = false;
}

}  // namespace

void wake_launcher() {
  static bool registered = false;
  if (shared == nullptr) return;
  if (!registered) RegisterXactCallback(at_end, nullptr);
  registered = wakes = true;
}

void install_publishing() {
  DefineCustomIntVariable("dp.publish_interval", "How often is looked for what dp.publish() says is due.",
                          "Zero: it is published when somebody calls dp.publish_now().", &interval, 60, 0, kMostSeconds,
                          PGC_SIGHUP, GUC_UNIT_S, nullptr, nullptr, nullptr);
  next_request = shmem_request_hook;
  shmem_request_hook = request;
  next_startup = shmem_startup_hook;
  shmem_startup_hook = startup;
  BackgroundWorker worker{};
  fill_in(&worker, "dp_publish_launcher");
  worker.bgw_restart_time = 10;
  RegisterBackgroundWorker(&worker);
}

}  // namespace dp::budget

// What the workers run.
extern "C" DP_EXPORT void dp_publish_launcher(Datum);
extern "C" DP_EXPORT void dp_publish_beside(Datum database);

void dp_publish_launcher(Datum) {
  pqsignal(SIGTERM, die);
  pqsignal(SIGHUP, SignalHandlerForConfigReload);
  BackgroundWorkerUnblockSignals();
  dp::pg::entry([] { dp::budget::launch(); });
}

void dp_publish_beside(Datum database) {
  pqsignal(SIGTERM, die);
  BackgroundWorkerUnblockSignals();
  dp::pg::entry([database] { dp::budget::work(DatumGetObjectId(database)); });
}
