// With what the books of a table or of a role begin: with what another table has spent that it goes on for, and without
// what was spent under its number by one that was dropped.
//
// Like charges these entries are frozen and durable: they stay, whatever becomes of the transaction. Said again after a
// rollback they add nothing a second time.
#pragma once

#include "budget/catalog/dropped_rows.h"

namespace dp::budget {

// A table or a role was dropped; called in its transaction.
void note_dropped_books(DroppedKind kind, Oid number);

// Called before anything is said of that table or role: where its number is that of a dropped one, it starts after it.
void begin_books(DroppedKind kind, Oid number);

// Charges to the table and to its accounts what the other table has spent, less what each has of the other already.
// Returns whether that other one had spent anything. Nobody must be charged on it meanwhile.
bool take_over_spent(Oid from, Oid to);

}  // namespace dp::budget
