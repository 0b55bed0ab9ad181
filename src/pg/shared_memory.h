// Shared memory that a running server asks for: areas that grow.
#pragma once

#include "pg/server.h"

extern "C" {
#include "utils/dsa.h"
}
