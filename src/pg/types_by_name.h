// Types of the extension by their names, whatever the schema that it was created in.
#pragma once

#include "pg/server.h"

namespace dp::pg {

// The type of that name that the extension has. What was found is kept, until some type changes.
Oid own_type(const char* name);

}  // namespace dp::pg
