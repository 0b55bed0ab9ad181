// Which rows of a privacy unit a part of a table may have, where the parts are on several servers.
//
// The bounds of a foreign partition are a declaration: nothing has routed the rows that are there, and a unit with rows
// on two servers would count twice what one unit may. So nobody is trusted for it. The bounds go with the question as
// conditions, each server counts the rows alone that PostgreSQL would route to its partition, and bounds of two
// partitions have no value in common; the lock on the table keeps them so while it is read. Trusted is that a server
// computes what it is asked, as everywhere else.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the partitioned table, and each partition of it that is one itself, is partitioned by that column alone, by
// the comparisons of its type: values of the same bytes are in one part.
bool is_partitioned_by(Oid table, AttrNumber column);

// What holds of the rows of that part and of no other one, over the part as the first entry. dp_internal.in_hash_part
// stands in the place of PostgreSQL's own function, which names the table by a number of this server.
Node* bounds_of(Oid part);

}  // namespace dp::guard
