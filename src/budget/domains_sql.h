#pragma once
#include <optional>
#include "pg/server.h"
namespace dp::budget {
struct Domain { Oid type; int size; Datum* values; };
inline std::optional<Domain> declared_domain(Oid, const char*, Oid) { return std::nullopt; }
inline std::optional<Domain> natural_domain(Oid, AttrNumber) { return std::nullopt; }
inline bool may_be_null(Oid, AttrNumber) { return true; }
}
