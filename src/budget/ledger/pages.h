// The pages that the ledger's rows are appended to, chosen under the lock of shared_totals.h so that it is held for
// microseconds.
//
// PostgreSQL gives each session a page of its own to insert into, and lets it search for another one, or lengthen the
// file, when that is full: up to a millisecond, in which nobody else could append. Here all sessions of a database
// append to the same page, and pages that follow are added by one of them before it takes the lock.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Before the lock: once the last pages are being filled, adds some. Raises an error where the disk is full.
void add_pages_when_due(Relation ledger);

// Under the lock. The next row goes to the page that the last one went to, whoever appended it.
void aim_at_last_page(Relation ledger);

// Under the lock, after rows were inserted.
void note_last_page(Relation ledger);

}  // namespace dp::budget
