// Shared memory that a running server asks for: areas that grow; and waiting for who holds a lock of it.
#pragma once

#include <sched.h>

#include "pg/server.h"

extern "C" {
#include "utils/dsa.h"
}

namespace dp::pg {

// Lets other processes run first, where there are fewer cores than processes: who holds a lock for a few microseconds
// may have lost its core in between.
inline void offer_core() { sched_yield(); }

}  // namespace dp::pg
