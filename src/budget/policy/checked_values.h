// The values that CHECK constraints list of a column: CHECK (sex IN ('f', 'm')). They stand in the schema, for all to
// read.
#pragma once

#include <optional>

#include "budget/policy/domains.h"

namespace dp::budget {

// Of a column of that table, in its type; nothing where no constraint lists them all.
std::optional<Domain> checked_values(Oid table, AttrNumber column);

}  // namespace dp::budget
