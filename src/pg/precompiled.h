// What is compiled once for all files that know PostgreSQL (Makefile, PRECOMPILE): its headers, and those of the
// standard library that most of them name. Every file includes what it uses all the same, and compiles without this.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pg/planner.h"
#include "pg/server.h"
