// Objects of the database that are made, changed or dropped.
//
// PostgreSQL has one hook for these and for each function that runs and each schema that is searched, which are no
// changes and most of its calls.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// From now on it is called for each, as object_access_hook is; those that were told to before it come first.
void on_change(object_access_hook_type tell);

}  // namespace dp::budget
