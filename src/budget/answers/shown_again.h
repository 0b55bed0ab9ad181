// Who was shown a stored answer again.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// Writes that down, unless there is a note of that role younger than a minute: free questions must not fill the disk.
// `query`: the text of the statement; `tables`: oid, a row for each. The rows may be lost in a crash.
void note_shown(std::int64_t answer, Oid role, List* tables, const char* query);

// The rows about an answer that goes.
void forget_shown(std::int64_t answer);

}  // namespace dp::budget
