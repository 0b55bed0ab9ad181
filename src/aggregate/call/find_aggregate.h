// The extension's aggregates by name.
#pragma once

#include <span>

#include "pg/server.h"

namespace dp::aggregate {

// The private aggregate of that name that is declared for arguments of these types (InvalidOid: of whatever type),
// whatever schema the extension is in; somebody else's of the same name is none. InvalidOid where there is none.
Oid find_aggregate(const char* name, std::span<const Oid> types);

// Whether it is one of those that stand for calls without all parameters (kinds/incomplete.cpp).
bool is_incomplete(Oid aggregate);

}  // namespace dp::aggregate
