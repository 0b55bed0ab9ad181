// What is left of releases that were forgotten: that they were there.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// Whether there was such a release that the user, or a role whose privileges it has, made, or on a table that it
// curates.
bool was_forgotten(std::int64_t release, Oid user);

}  // namespace dp::budget
