// Window functions: what reads all rows of its partition.
#pragma once

#include "pg/server.h"

extern "C" {
#include "windowapi.h"
}
