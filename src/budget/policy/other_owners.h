// Foreign tables whose rows belong to another owner: on their server the table is protected, too, with a ledger of its
// own, and its owner lends the rows to the role that this server logs in as (dp.lend_rows there, ledger/lent_rows.h).
//
// That is found out when the foreign table is protected here, and kept in dp.other_owner. From then on each question
// that reads the rows is charged on that server first, as its owner's budget for this server says, and then here.
#pragma once

#include "core/accounting/loss.h"
#include "pg/server.h"

namespace dp::budget {

struct UnitPolicy;

// Asks the servers of the table, and those of tables below it, whether that is so, as the table's owner. An error where
// one of several is and another one is not, where it is and cannot be charged, and where rows may not be read at all.
bool find_other_owner(Oid relation, const UnitPolicy& unit);

// What is to be charged there for one foreign table.
struct ChargeThere {
  Oid table;
  Oid reader;        // as whom its server is asked
  List* statements;  // String: that will read for it
};

// By a number that both ledgers have, in hexadecimal digits; palloc'd.
const char* new_question();

// Charges that on its server, durably. An error of postgres_fdw where it is refused there, or cannot be asked.
void charge_there(const ChargeThere& charge, const Cost& cost, const char* question, const char* query);

// Takes back what was charged there for the question in this transaction; whether nothing of it was read.
bool withdraw_there(const ChargeThere& charge, const char* question);

// "public.customers": what the foreign table stands for there.
const char* name_there(Oid table);

}  // namespace dp::budget
