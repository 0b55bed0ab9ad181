// Says at once what becomes of budgets when a table is attached to a protected one, or detached from it.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Called when a link between the two was made or taken away, in that command.
void tell_of_part(Oid part, Oid whole);

// Called when a table was protected: what was charged to its parts before counts no more.
void tell_of_charged_parts(Oid whole);

}  // namespace dp::budget
