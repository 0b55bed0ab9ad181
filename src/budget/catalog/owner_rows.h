// Rows that two servers have to do with, each with an owner, budgets and a ledger of its own.
//
// The server that has the rows keeps in dp.lent which roles, of other servers, may read them for questions that they
// have charged before (ledger/lent_rows.h). The server that asks keeps in dp.other_owner which of its protected tables
// are such ones (policy/other_owners.h).
#pragma once

#include "pg/server.h"

namespace dp::budget {

bool is_lent(Oid relation, Oid role);
void set_lent(Oid relation, Oid role, bool lent);
void end_lending(Oid relation);

bool has_other_owner(Oid relation);
void set_other_owner(Oid relation, bool other);

}  // namespace dp::budget
