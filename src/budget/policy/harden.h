// Functions through which everyone sees sizes, counters and locks of tables that they may not read.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// One of those that the role may call; ACL_ID_PUBLIC: that everyone may. InvalidOid: there is none.
Oid open_leak(Oid role);

}  // namespace dp::budget
