#include "budget/ledger/counters.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "budget/ledger/shared_database.h"
#include "pg/errors.h"

namespace dp::budget {

const Reason kReasons[kReasonCount] = {
    {pg::kBudgetExhausted, "the budget does not allow it"},
    {pg::kNotAdmissible, "the question is not admissible as it was written"},
    {pg::kNoSuchRelease, "there is no such release"},
    {pg::kAccountClosed, "the account is closed, or an error has just closed it"},
    {pg::kNotOnStandby, "the wait for a standby was stopped"},
    {pg::kLedgerInDoubt, "the ledger is in doubt"},
    {ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied: rows were asked for, or anything else"}};

namespace {

emit_log_hook_type next_log = nullptr;

// Of this session; nullptr before prepare_to_count().
Counters* counted = nullptr;

void add(pg_atomic_uint64* counter, std::uint64_t more) {
  pg_atomic_fetch_add_u64(counter, static_cast<std::int64_t>(more));
}

// An error that was caught on its way is none that a client was shown. Those of parallel workers come to their leader.
void count_refusal(ErrorData* message) {
  if (next_log != nullptr) next_log(message);
  if (message->elevel != ERROR || counted == nullptr || IsParallelWorker()) return;
  for (int i = 0; i < kReasonCount; ++i)
    if (kReasons[i].sqlstate == message->sqlerrcode) add(&counted->reasons[i], 1);
}

const ReturnSetInfo* begin_rows(FunctionCallInfo fcinfo) {
  InitMaterializedSRF(fcinfo, 0);
  return reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
}

}  // namespace

void Counters::init() {
  for (pg_atomic_uint64* const one : {&charges, &refusals, &errors, &lock_waits, &reused, &charge_microseconds})
    pg_atomic_init_u64(one, 0);
  for (pg_atomic_uint64& one : charge_times) pg_atomic_init_u64(&one, 0);
  for (pg_atomic_uint64& one : reasons) pg_atomic_init_u64(&one, 0);
}

void count(pg_atomic_uint64 Counters::*counter, std::uint64_t more) {
  if (databases_installed()) add(&(this_database().counters.*counter), more);
}

void count_charge(std::int64_t microseconds) {
  if (!databases_installed()) return;
  Counters& counters = this_database().counters;
  const auto* const most =
      std::lower_bound(std::begin(kChargeMicroseconds), std::end(kChargeMicroseconds), microseconds);
  add(&counters.charge_times[most - std::begin(kChargeMicroseconds)], 1);
  add(&counters.charge_microseconds, static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 0)));
}

void prepare_to_count() {
  if (counted == nullptr && databases_installed()) counted = &this_database().counters;
}

void install_counters() {
  next_log = emit_log_hook;
  emit_log_hook = count_refusal;
}

// dp_internal.read_refusals() returns the columns of dp.refusals.
DP_SQL_FUNCTION(dp_read_refusals) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  for (int i = 0; databases_installed() && i < kReasonCount; ++i) {
    Datum values[] = {
        CStringGetTextDatum(unpack_sql_state(kReasons[i].sqlstate)), CStringGetTextDatum(kReasons[i].text),
        Int64GetDatum(static_cast<std::int64_t>(pg_atomic_read_u64(&this_database().counters.reasons[i])))};
    bool nulls[std::size(values)] = {};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

// dp_internal.read_charge_times() returns the columns of dp.charge_times: the shorter ones are in each row, too.
DP_SQL_FUNCTION(dp_read_charge_times) {
  const ReturnSetInfo* const result = begin_rows(fcinfo);
  std::uint64_t charges = 0;
  for (int i = 0; databases_installed() && i < kChargeTimes; ++i) {
    charges += pg_atomic_read_u64(&this_database().counters.charge_times[i]);
    const bool longest = i == kChargeTimes - 1;
    Datum values[] = {Float8GetDatum(longest ? std::numeric_limits<double>::infinity()
                                             : static_cast<double>(kChargeMicroseconds[i]) / 1e6),
                      Int64GetDatum(static_cast<std::int64_t>(charges))};
    bool nulls[std::size(values)] = {};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_NULL();
}

}  // namespace dp::budget
