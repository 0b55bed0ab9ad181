// Which tables can be protected, and which other ways to their rows a curator is told of.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Raises an error that says what to do unless the relation is an ordinary, partitioned or foreign permanent table of a
// user, without row security, and each table below it (partition, child) as well; and unless it is the only one among
// those below and above it that is protected.
void require_protectable(Oid relation);

// Warns of tables above, which are not protected: who reads these reads the rows of this one.
void warn_about_parents(Oid relation);

// A warning for each view and materialized view on the table or a table below it that reads it with the privileges of
// its owner.
void warn_about_views(Oid relation);

// Whether Citus spreads the relation over servers, or copies it to all: what is asked of it would be planned and run
// elsewhere.
bool is_distributed(Oid relation);

}  // namespace dp::budget
