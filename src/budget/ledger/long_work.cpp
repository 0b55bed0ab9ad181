#include "budget/ledger/long_work.h"

#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

// Who asks waits for it, and a DBA wants to know why.
constexpr int kWorthALine = 1000;  // milliseconds

constexpr const char* kNames[kWorks] = {"reading the ledger", "compacting the ledger", "counting stored numbers",
                                        "forgetting releases"};

// What an error has broken off goes on no longer.
void at_end(XactEvent event, void*) {
  if (event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT) return;
  for (Progress& progress : this_database().progress) {
    if (progress.pid == MyProcPid) progress.pid = 0;
  }
}

}  // namespace

LongWork::LongWork(Work work) : work_(work), own_{} {
  shown_ = databases_installed() ? &this_database().progress[static_cast<int>(work)] : &own_;
  static bool registered = false;
  if (!registered && shown_ != &own_) {
    RegisterXactCallback(at_end, nullptr);
    registered = true;
  }
  *shown_ = {MyProcPid, 0, GetCurrentTimestamp()};
}

std::int64_t LongWork::end() {
  const std::int64_t took = TimestampDifferenceMilliseconds(shown_->since, GetCurrentTimestamp());
  shown_->pid = 0;
  if (took >= kWorthALine) {
    ereport(LOG_SERVER_ONLY, (errmsg("pg_dp was %s for %lld ms: %lld rows", kNames[static_cast<int>(work_)],
                                     static_cast<long long>(took), static_cast<long long>(shown_->done))));
  }
  return took;
}

// dp_internal.read_progress(): the rows of dp.progress.
DP_SQL_FUNCTION(dp_read_progress) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  for (int i = 0; databases_installed() && i < kWorks; ++i) {
    const Progress progress = this_database().progress[i];
    if (progress.pid == 0) continue;
    Datum values[] = {CStringGetTextDatum(kNames[i]), Int32GetDatum(progress.pid), Int64GetDatum(progress.done),
                      TimestampTzGetDatum(progress.since)};
    bool nulls[std::size(values)] = {};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
