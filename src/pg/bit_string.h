// PostgreSQL's strings of bits.
#pragma once

#include "pg/server.h"

extern "C" {
#include "utils/varbit.h"
}
