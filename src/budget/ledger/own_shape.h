// The extension's tables stay as its library reads them: with their names and columns, and logged.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Each is called by a command that has changed a relation, or one of its columns, and raises an error where that is a
// table of the extension: 0A000, or 2BP01 for a column of the ledger. A superuser who means it (dp.allow_drop) does not
// come here, but for the first.

// Whatever the settings say: a crash would empty it.
void refuse_unlogged(Oid relation);

// A column was added; the ledger may have more than its own.
void refuse_column_added(Oid relation);

// The relation was renamed or moved to another schema; a column was renamed or got another type.
void refuse_table_renamed(Oid relation);
void refuse_column_altered(Oid relation, int column);

// A column is being dropped, which was added to the ledger or is its own.
void refuse_column_dropped(Oid relation, int column);

// The name of a column as this command leaves it; the caches show it later. Palloc'd.
const char* name_now(Oid relation, int column);

}  // namespace dp::budget
