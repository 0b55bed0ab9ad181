// Protected tables and who pays for a query on them.
//
// Read from the tables dp.protected_table and dp.account by index, with a fresh catalog snapshot and without any
// privilege of the asking role: a policy that was committed is in force, whatever the snapshot of the running
// transaction.
#pragma once

#include <optional>

#include "budget/catalog/policy_rows.h"

namespace dp::budget {

struct Protection {
  Oid relation;  // what was protected: the table itself, or the partitioned or inherited table above it
  Limit limit;
  Amount selection;  // as in Policy
  UnitPolicy unit;
  std::int64_t answer_epsilon = 0;         // as in Policy
  const char* answer_mechanism = nullptr;  // of an answer that names no epsilon; nullptr: nothing is said
  bool no_selection = false;               // as in Policy
  bool blocks = false;                     // as in Policy
};

// The tables (oid) of which this one is directly a partition or child, in the order of inheritance. A partition that is
// being detached still counts.
List* parents_of(Oid relation);

// The protection that holds for a relation: its own, or that of the nearest table it is a partition or child of.
// Nothing for InvalidOid.
std::optional<Protection> protection_of(Oid relation);

// Raises 55000 where another budget holds for rows of the table, too: that of a part of it, or of one above. So it is
// after a table with a budget was attached, and neither would be charged for what the other tells.
void require_one_budget(const Protection& protection, Oid table);

// Whether a table below this one (partition, child) is protected by itself while this one is not.
bool has_protected_child(Oid relation);

// Whose accounts a question on a protected table is charged to.
struct Payer {
  Oid relation;  // as in Protection
  Oid role;      // who asks
  Oid account;   // the role whose account pays beside the table's; InvalidOid: the table's alone
  std::optional<Limit> limit = std::nullopt;  // of that account, as payer_of() has read it
  Oid block = InvalidOid;  // the partition that is charged, where each has a budget (blocks.h); InvalidOid: the table

  // What the ledger has it under.
  Oid books() const { return OidIsValid(block) ? block : relation; }

  // What is closed where a question of the payer must not go on: the account, or the role by itself where it has none.
  Oid subject() const { return OidIsValid(account) ? account : role; }
};

// The account of a role on a table that was protected: its own, else the single one among the roles whose privileges it
// inherits. Several of these: an error (42501) that names them. None: the table alone pays if the role may SELECT all
// of the table, otherwise an error (42501). 55000: what dp.harden() took is open again, and the account does not allow
// that.
Payer payer_of(Oid relation, Oid role);

// Whether payer_of() would find an account.
bool has_account(const Protection& protection, Oid role);

// What curators say of answers that name no epsilon.
struct CuratedAnswer {
  std::int64_t epsilon;   // in nano-epsilon; 0: there is none
  const char* mechanism;  // in the text form of dp_mechanism, also "auto"; nullptr: nothing was said
  bool share_of_budget;   // nobody said the epsilon: it is a hundredth of the account's
};

// What holds for that role's answers where neither they nor the session say: each of the two as the curator said of its
// account, else of the table; an epsilon of which nobody said anything is a hundredth of the account's, within the
// limits of one question. Errors as payer_of().
CuratedAnswer curated_answer(const Protection& protection, Oid role);

// The delta of a private choice of groups in an answer of that role, for each grouping set, where nothing is said of
// it: a hundredth of the account's, within the table's; 0 elsewhere, and where one of both has none. Errors as
// payer_of().
std::int64_t delta_of_selection_by_itself(const Protection& protection, Oid role);

// The limit of that role's account on the table, as stored, or of the table as a whole (InvalidOid); nothing where it
// has none.
std::optional<Limit> account_limit(Oid relation, Oid account);

// Whether the role may set budgets on that table and see everyone's: its owner, a member of dp_curator, a superuser.
bool is_curator(Oid relation, Oid role);

}  // namespace dp::budget
