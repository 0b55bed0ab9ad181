// What is left of releases that were forgotten: that they were there.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

// Whether there was such a release that the user, or a role whose privileges it has, made, or on a table that it
// curates.
bool was_forgotten(std::int64_t release, Oid user);

// Forgets what dp.retain_releases() says on the tables that the current role is a curator of, and returns how many
// releases there were.
std::int64_t forget_expired_releases();

}  // namespace dp::budget
