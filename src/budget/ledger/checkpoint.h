// Rows of dp.ledger_total: what the ledger adds up to, up to an entry.
//
// Such a row is frozen, as those of the ledger are. A crash that takes entries takes the row that has them in it too,
// since it was written to the log after them. Whoever writes to the ledger by hand makes all of them worthless by a row
// without totals, before it writes; and until its transaction has ended no new one is written (shared_totals.h).
#pragma once

#include <optional>

#include "budget/ledger/ledger_sums.h"

namespace dp::budget {

// The newest one; nothing where there is none, or where it is worthless. `seen`: the highest number of an entry that
// there was when it was written, or was made worthless.
std::optional<LedgerSums> newest_checkpoint(std::int64_t* seen);

// Writes one, and deletes those that are too old to be anyone's newest.
void write_checkpoint(const LedgerSums& sums);

// None that there is counts any more.
void void_checkpoints();

}  // namespace dp::budget
