// Functions of PostgreSQL that show everyone sizes, counters and locks of tables that they may not read.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// One of these that the role may call (ACL_ID_PUBLIC: that everyone may); InvalidOid where there is none.
Oid open_leak(Oid role);

}  // namespace dp::budget
