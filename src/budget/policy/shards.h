// Tables whose rows are on other servers: foreign tables of postgres_fdw, by themselves or as partitions.
//
// What a foreign table says of its columns is a declaration that nothing enforces. A value that its type does not take
// is an error when its row is read, and would tell of it. So the declaration is compared with the table itself, before
// it is protected and again before each question reads it; and types are refused whose values one server may write and
// another one not read, whatever their names.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// The foreign tables among the table and those below it, oid.
List* foreign_tables_of(Oid relation);

// What stands against fetching the rows of that foreign table, as the end of a message, and what to do.
struct ForeignObstacle {
  const char* message;  // nullptr: nothing
  const char* hint;
  bool of_extension = false;  // it is about pg_dp there, not about the table
};

// Whether its server is told (by its option `extensions`) that pg_dp is there, too: it can make parts of answers.
bool makes_parts(Oid table);

// As far as it is known here: another wrapper, options, types.
ForeignObstacle foreign_obstacle(Oid table);

// What its server tells of the table that it stands for; asked by postgres_fdw as that role. An error of postgres_fdw
// where the server cannot be asked. `message`: a sentence of what differs.
ForeignObstacle difference_on_server(Oid table, Oid reader);

// Raises an error where that is so, which says what could not be done for it.
void require_same_on_server(Oid table, Oid reader, const char* what_for);

// The same of the table and those below it, asked as the table's owner, who would protect it.
void require_same_on_servers(Oid relation);

const char* server_name(Oid table);

// Of what a foreign table's rows come from: its server, and both their options.
std::uint32_t hash_of_server(Oid table);

}  // namespace dp::budget
