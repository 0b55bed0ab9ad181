// The rows of dp.dropped_object: numbers of dropped tables and roles that the ledger mentions. What gets such a number
// later is another table, another role. The rows are part of the transaction that drops.
#pragma once

#include "pg/server.h"

namespace dp::budget {

enum class DroppedKind { table, role };

void note_dropped(DroppedKind kind, Oid number);

bool is_noted_dropped(DroppedKind kind, Oid number);

// Who owned a table that was dropped, and noted; InvalidOid where that is not known.
Oid owner_before_drop(Oid relation);

// Takes the note away. Returns whether there was one: of two that do so at once the second waits for the first, until
// the end of its transaction.
bool take_dropped_note(DroppedKind kind, Oid number);

}  // namespace dp::budget
