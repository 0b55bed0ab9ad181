#include "budget/ledger/totals_lock.h"

namespace dp::budget {
namespace {

constexpr int kOffers = 64;  // of the core, before a session falls asleep

// Waits until the lock is free or who had it has settled the charge: false. An error of that one wakes this one too,
// since it releases the lock.
bool lock_unless_settled(Database* database, WaitingCharge* waiting, Charge* charge) {
  bool locked = false;
  for (int i = 0; i < kOffers && !locked && !waiting->is_settled(); ++i) {
    pg::offer_core();
    locked = LWLockConditionalAcquire(&database->lock, LW_EXCLUSIVE);
  }
  if (!locked && !waiting->is_settled()) pg_atomic_fetch_add_u64(&database->counters.lock_waits, 1);
  while (!locked && !waiting->is_settled()) locked = LWLockAcquireOrWait(&database->lock, LW_EXCLUSIVE);
  if (!waiting->is_settled()) {
    database->waiting.withdraw(waiting);
    return true;
  }
  database->waiting.take(waiting, charge);
  if (locked) LWLockRelease(&database->lock);
  return false;
}

}  // namespace

// An append holds the lock for a few microseconds, less than it takes to fall asleep and be woken: so the lock is tried
// for as long before. If it is still held then, its holder has most likely lost its core, perhaps to this session,
// which offers it then. Until the holder goes on, all others come to wait here; it appends their charges, too.
bool lock(Database* database, LWLockMode mode, Charge* charge) {
  constexpr int kPauses = 8;  // of the processor, before each next try
  constexpr int kTries = 8;
  for (int i = 0; i < kTries * kPauses; ++i) {
    if (i % kPauses == 0 && LWLockConditionalAcquire(&database->lock, mode)) return true;
    pg_spin_delay();
  }
  if (charge != nullptr) {
    if (WaitingCharge* const waiting = database->waiting.put(*charge))
      return lock_unless_settled(database, waiting, charge);
  }
  for (int i = 0; i < kOffers; ++i) {
    pg::offer_core();
    if (LWLockConditionalAcquire(&database->lock, mode)) return true;
  }
  pg_atomic_fetch_add_u64(&database->counters.lock_waits, 1);
  LWLockAcquire(&database->lock, mode);
  return true;
}

}  // namespace dp::budget
