// What each account has spent.
#pragma once

#include "budget/ledger/slots.h"
#include "core/accounting/divergences.h"

namespace dp::budget {

// What is known of one account (InvalidOid: of the table as a whole).
struct Total {
  Oid relation;  // InvalidOid: the slot is free
  Oid account;
  Spending spent;
  std::int64_t charges;  // how many
  Spending dated;        // of both what was charged when its entry was written, and not before
  std::int64_t dated_charges;
  std::int64_t begun;   // the ledger row that took off last what another one of that number had spent; 0: none
  std::int64_t turned;  // the ledger row that closed or opened it last; 0: none
  bool closed;          // nothing is answered until a curator opens it again
};

// What both have, in the first of them.
void add(Total* total, const Total& other);

// A row of that number closed the account, or opened it. Of such rows the last one counts, wherever it lies.
void turn(Total* total, bool closed, std::int64_t seq);

using Totals = Slots<Total>;

}  // namespace dp::budget
