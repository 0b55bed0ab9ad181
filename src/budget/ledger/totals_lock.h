// How the lock of a database's totals is waited for.
#pragma once

#include "budget/ledger/shared_database.h"

namespace dp::budget {

// Takes the lock. With a charge, in exclusive mode, it may return false: who had the lock has settled the charge, and
// nothing is locked. The wait cannot be cancelled. What waits longer than the lock is usually held is shown as "pg_dp
// ledger", and counted.
bool lock(Database* database, LWLockMode mode, Charge* charge = nullptr);

}  // namespace dp::budget
