// The rows of dp.protected_table and dp.account: read by primary key with a fresh catalog snapshot, written like a system
// catalog's. Nothing here asks what the current role may do.
#pragma once

#include <optional>

#include "budget/accounts_sql.h"

namespace dp::budget {

// The limits that the relation itself has.
std::optional<Limit> protected_limit(Oid relation);
void store_protected(Oid relation, const Limit& limit);
bool remove_protected(Oid relation);

void store_account(Oid relation, Oid role, const Limit& limit);
bool remove_account(Oid relation, Oid role);
void remove_accounts(Oid relation);

// A row of one of the two tables; of a protected table the role is InvalidOid.
struct Policy {
  Oid relation;
  Oid role;
  Limit limit;
};

// Palloc'd lists of Policy*: every protected table; the accounts on a table, in the order of their roles' numbers.
List* all_protected();
List* accounts_on(Oid relation);

}  // namespace dp::budget
