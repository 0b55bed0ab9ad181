// Closed accounts: an error was raised while a private query read rows, and must not be provoked again.
//
// A role's account, or the role by itself where it has none, is closed on one table from the row of kind 'closed' in
// the ledger until one of kind 'reopened', which only a curator can write. Both rows are as durable as a charge and
// charge nothing. The totals in shared memory hold the state, so that asking costs no more than it did.
#pragma once

#include <span>

#include "budget/ledger/ledger.h"

namespace dp::budget {

// The shares that close() would close, each once, palloc'd. Made before the query runs, when memory is not short.
// `entries`: palloc'd Entry.
std::span<Share> subjects_of(List* entries);

// Writes that they are closed, durably, as append() writes charges; `query` as in Entry. They must have been shut
// (shared_totals.h) before.
void close(std::span<Share> subjects, const char* query);

// Raises DP005 if one of them is closed.
void require_open(std::span<const Share> shares);

// The same for the payers of these entries (palloc'd Entry), whose state is looked up: for dp.cost and dp.admissible,
// which run nothing.
void require_open(List* entries);

// The statement with which a curator opens that account again. Names are whole, whatever the search path.
const char* call_to_reopen(const Share& share);

}  // namespace dp::budget
