// The rows of dp.protected_table and dp.account: read by primary key with a fresh catalog snapshot, written like a
// system catalog's. Nothing here asks what the current role may do.
#pragma once

#include <optional>

#include "core/accounting/amount.h"
#include "pg/server.h"

namespace dp::budget {

// A limit on what may be spent. `query_epsilon` is the most that one statement may cost, in nano-epsilon; 0 means no
// such limit.
struct Limit {
  Amount total;
  std::int64_t query_epsilon = 0;
};

// The privacy unit of a protected table, and how much of one unit an answer may depend on. Limits are 0 where none is
// set.
struct UnitPolicy {
  // Names the unit, as policy/unit_path.h reads it: a column, or foreign keys and the column that they lead to; nullptr:
  // each row is a unit of its own.
  const char* path = nullptr;
  List* steps =
      NIL;  // String: what the foreign keys were when that was declared; NIL: the path is the name of a column
  std::int32_t rows = 0;
  std::int32_t groups = 0;
  std::int32_t rows_per_group = 0;

  bool declared() const { return path != nullptr; }
  bool limited() const { return rows > 0 || groups > 0; }
};

// A row of one of the two tables.
struct Policy {
  Oid relation;
  Oid role;  // InvalidOid: of a protected table
  Limit limit;
  Amount selection;                 // of a protected table, as in Protection
  UnitPolicy unit;                  // of a protected table
  bool allow_leaks = false;         // of an account: its role may see sizes and counters
  std::int64_t answer_epsilon = 0;  // of an answer that names none, in nano-epsilon; 0: there is no such default
};

// What is said of the relation itself.
std::optional<Policy> protected_policy(Oid relation);
bool remove_protected(Oid relation);

// What is said of the role's own account on the relation.
std::optional<Policy> account_policy(Oid relation, Oid role);
bool remove_account(Oid relation, Oid role);
void remove_accounts(Oid relation);

// Inserts the row, or changes the one with the same key.
void store(const Policy& policy);

// Palloc'd lists of Policy*: every protected table; the accounts on a table, in the order of their roles' numbers.
List* all_protected();
List* accounts_on(Oid relation);

// The same of the accounts of a role; none where the extension is not created.
List* accounts_of(Oid role);

}  // namespace dp::budget
