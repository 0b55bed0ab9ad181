// The versions of PostgreSQL that the extension is written for: src/pg has one name for what they call differently, and
// no other folder asks for the version.
#pragma once

// Before postgres.h: for a server that was built without translations that makes macros of names which this header
// declares, and headers of C++ include it.
#include <libintl.h>

extern "C" {
#include "postgres.h"
}

// A release changes what the guard relies on without a word from the compiler (where permissions stand, what outer
// joins make NULL), so a version that was not looked at is refused.
#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 190000
#error "pg_dp is written for PostgreSQL 15, 16, 17 and 18: choose one of these with PG_CONFIG=/path/to/pg_config"
#endif

namespace dp::pg {

// The major version: 15, 16, ...
inline constexpr int kMajorVersion = PG_VERSION_NUM / 10000;

}  // namespace dp::pg
