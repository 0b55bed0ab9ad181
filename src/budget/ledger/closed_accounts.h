// Accounts that are closed: an error rose while a private query read rows, and what it tells must not be asked for
// again.
//
// A role's account, or the role by itself where it has none, is closed on one table from the row of kind 'closed' in
// the ledger until one of kind 'reopened', which only a curator can write. Both rows are as durable as a charge and
// charge nothing. The totals in shared memory hold the state, so that asking costs no more than it did.
#pragma once

#include <span>

#include "budget/ledger/ledger.h"

namespace dp::budget {

// Those whom closing would close, each once, palloc'd: to be made before the query runs. `entries`: palloc'd Entry.
std::span<Share> subjects_of(List* entries);

// Writes that they are closed, durably, as append() writes charges; `query` as in Entry. They are shut before.
void close(std::span<Share> subjects, const char* query);

// Raises DP005 where one of them is closed.
void require_open(std::span<const Share> shares);

// The same for those who would pay these entries (palloc'd Entry), looked up: for what is asked about a query that does
// not run.
void require_open(List* entries);

// The statement with which a curator opens that account again. Names are whole, whatever the search path.
const char* call_to_reopen(const Share& share);

}  // namespace dp::budget
