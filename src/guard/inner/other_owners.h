// Inner queries that read rows of another owner, from a server with a ledger of its own
// (budget/policy/other_owners.h).
//
// Such a question is charged in both ledgers or it is not answered: on the servers of other owners first, then here,
// and then rows are read. Where one of them refuses, or this one does, what was charged on others before is taken back,
// as nothing was read. Everything else that goes wrong meanwhile, a crash or a lost connection, leaves what was charged
// until then: nobody is ever given back what may have been read for.
#pragma once

#include "budget/policy/other_owners.h"
#include "guard/query/private_query.h"
#include "pg/errors.h"
#include "pg/foreign.h"

namespace dp::guard {

// Whether one of its protected tables is another owner's.
bool is_of_other_owners(const InnerQuery& inner_query);

// The same, and its plan may read rows of it.
inline bool reads_other_owners(const PlannedStmt* plan, const InnerQuery& inner_query) {
  return pg::reads_foreign(plan) && is_of_other_owners(inner_query);
}

// What an execution of it, which has started, is charged on other servers: a list of budget::ChargeThere*. DP002 where
// a server would be sent what was read here.
List* charges_of_scans(const QueryDesc* inner, const InnerQuery& inner_query);
inline List* charges_elsewhere(const QueryDesc* inner, const InnerQuery& inner_query) {
  return pg::reads_foreign(inner->plannedstmt) ? charges_of_scans(inner, inner_query) : NIL;
}

// "server shop_b for table customers, ..." of these; nullptr where there are none.
const char* charges_text(List* charges);

// Charges all of them, durably, or none that could be taken back again; then that is an error: DP001 where a budget
// there does not suffice, else DP008. `watched`: whether what a server says is kept from who asks. Returns the number
// of the question in all ledgers.
const char* charge_elsewhere(List* charges, const budget::Cost& cost, const char* query, bool watched);

// The question was refused here: takes back what it was charged elsewhere, as far as that can be done.
void withdraw_elsewhere(List* charges, const char* question);

// The text of a question in a ledger, with its number.
const char* numbered(const char* query, const char* question);

// Reads what is left of their rows, so that how many were fetched does not tell their owners what was read here.
void read_to_end(QueryDesc* inner, const InnerQuery& inner_query);

// Charges here by charge(), once all of them are charged elsewhere.
template <class Charge>
void charge_here(List* charges, const char* question, Charge charge) {
  pg::entry([&] {
    try {
      pg::call(charge);
    } catch (const pg::PostgresError& error) {
      // What these are raised for, nothing was written.
      const int code = error.data->sqlerrcode;
      if (code == pg::kBudgetExhausted || code == pg::kAccountClosed || code == pg::kLedgerInDoubt)
        pg::call([&] { withdraw_elsewhere(charges, question); });
      throw;
    }
  });
}

}  // namespace dp::guard
