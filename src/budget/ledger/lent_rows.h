// Rows of a protected table that a server of another owner reads for a question of its own, once that is charged here.
//
// The other server logs in as a role that has a budget on the table and no right to read it, and to which a curator
// has lent the rows (dp.lend_rows). It says what a question costs and which statements will read for it
// (dp.charge_rows): that is charged like a question of the role, durably. From then until the end of the transaction
// this session may run each of these statements once, to the letter, and nothing else reads the table for the role.
//
// The charge comes before that of the other server, and it stays, whatever becomes of connection, servers and
// question; with one exception. Where the other server refuses the question after all, it takes the charge back
// (dp.withdraw_rows), in the same transaction and as long as none of the statements has begun: then it is known here
// that nothing was read.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Whether this transaction has charged for rows that may still be read.
bool may_read_lent_rows();

// Whether that statement may read the rows of the table now, as that role. Once: from here on it counts as read.
// `text`: as postgres_fdw sends it, DECLARE c1 CURSOR FOR and the rest.
bool begin_lent_statement(const char* text, Oid table, Oid role);

}  // namespace dp::budget
