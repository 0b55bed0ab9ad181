// What is counted of one database since the server started, without a lock: for dp.status, dp.refusals and
// dp.charge_times.
//
// Charges are made, and timed, before the first row of a protected table is read; what is refused for its form is
// refused when it is planned, and what is refused for want of budget before it runs. So no row says anything by these
// numbers. The exception is an error that stopped a private query: the breaker closes an account for it, which its
// curator is told anyway. All of them tell when others ask and how often, and so members of dp_curator and pg_monitor
// alone read them.
#pragma once

#include <cstdint>
#include <iterator>

#include "pg/shared_memory.h"

namespace dp::budget {

// Charges that took at most so many microseconds, those that took longer in the end.
inline constexpr std::int64_t kChargeMicroseconds[] = {250,   500,    1000,   2500,   5000,    10000,  25000,
                                                       50000, 100000, 250000, 500000, 1000000, 2500000};
inline constexpr int kChargeTimes = static_cast<int>(std::size(kChargeMicroseconds)) + 1;

// Errors that clients were shown, by SQLSTATE.
struct Reason {
  int sqlstate;
  const char* text;
};
extern const Reason kReasons[];
inline constexpr int kReasonCount = 7;

struct Counters {
  pg_atomic_uint64 charges;
  pg_atomic_uint64 refusals;    // for want of budget or of an account that is open, and of a ledger that is in doubt
  pg_atomic_uint64 errors;      // that stopped private queries
  pg_atomic_uint64 lock_waits;  // of the totals' lock
  pg_atomic_uint64 reused;      // answers that were shown again for nothing
  pg_atomic_uint64 charge_microseconds;
  pg_atomic_uint64 charge_times[kChargeTimes];
  pg_atomic_uint64 reasons[kReasonCount];

  void init();
};

// Adds to a counter of this database; nothing where there is no shared memory.
void count(pg_atomic_uint64 Counters::*counter, std::uint64_t more);

// That a charge took so long: from its first look at the totals until it was on disk, and on the standbys that are
// waited for.
void count_charge(std::int64_t microseconds);

// Lets errors of this session be counted from here on. To be called where errors may still be raised, before a
// statement is refused.
void prepare_to_count();

// Installs the hook that counts what clients are shown. Called once, from shared_preload_libraries.
void install_counters();

}  // namespace dp::budget
