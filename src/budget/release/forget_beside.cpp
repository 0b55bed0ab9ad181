#include "budget/release/forget_beside.h"

#include "budget/catalog/policy_rows.h"
#include "budget/ledger/shared_database.h"
#include "budget/release/forget.h"
#include "pg/background.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

constexpr int kMostSeconds = 86400;

int interval = 300;  // in seconds

// For one session in that time.
bool is_time() {
  Database& here = this_database();
  const TimestampTz now = GetCurrentTimestamp();
  const auto is_over = [&] { return TimestampDifferenceExceeds(here.forgot_at, now, interval * 1000); };
  if (!is_over()) return false;
  LWLockAcquire(&here.lock, LW_EXCLUSIVE);
  const bool first = is_over();
  if (first) here.forgot_at = now;
  LWLockRelease(&here.lock);
  return first;
}

bool is_anything_said() {
  ListCell* cell;
  foreach (cell, all_protected()) {
    const Retention& retention = static_cast<const Policy*>(lfirst(cell))->retention;
    if (retention.by_age() || retention.numbers > 0) return true;
  }
  return false;
}

// As the superuser that the server began with, who is a curator of all tables.
void forget(Oid database) {
  BackgroundWorkerInitializeConnectionByOid(database, InvalidOid, 0);
  StartTransactionCommand();
  PushActiveSnapshot(GetTransactionSnapshot());
  forget_expired_releases();
  PopActiveSnapshot();
  CommitTransactionCommand();
}

}  // namespace

void forget_beside() {
  if (interval == 0 || !is_time() || !is_anything_said()) return;
  BackgroundWorker worker{};
  strlcpy(worker.bgw_name, "pg_dp forgets releases", sizeof worker.bgw_name);
  strlcpy(worker.bgw_type, "pg_dp forgets releases", sizeof worker.bgw_type);
  strlcpy(worker.bgw_library_name, "pg_dp", sizeof worker.bgw_library_name);
  strlcpy(worker.bgw_function_name, "dp_forget_beside", sizeof worker.bgw_function_name);
  worker.bgw_flags = BGWORKER_SHMEM_ACCESS | BGWORKER_BACKEND_DATABASE_CONNECTION;
  worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
  worker.bgw_restart_time = BGW_NEVER_RESTART;
  worker.bgw_main_arg = ObjectIdGetDatum(MyDatabaseId);
  // Where all workers are busy, the next time.
  RegisterDynamicBackgroundWorker(&worker, nullptr);
}

void define_forgetting_setting() {
  DefineCustomIntVariable("dp.forget_interval",
                          "How often what dp.retain_releases says is forgotten by itself, while releases are stored.",
                          "Zero: when somebody calls dp.forget_releases().", &interval, 300, 0, kMostSeconds, PGC_SUSET,
                          GUC_UNIT_S, nullptr, nullptr, nullptr);
}

}  // namespace dp::budget

// What the worker runs.
extern "C" DP_EXPORT void dp_forget_beside(Datum database);

void dp_forget_beside(Datum database) {
  pqsignal(SIGTERM, die);
  BackgroundWorkerUnblockSignals();
  dp::pg::entry([database] { dp::budget::forget(DatumGetObjectId(database)); });
}
