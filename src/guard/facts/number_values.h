// Constants as numbers.
#pragma once

#include <optional>

#include "core/bounds/interval.h"
#include "pg/planner.h"

namespace dp::guard {

// Integers and other numbers; boolean counts as one.
bool is_number(Oid type);

// Integers.
bool is_integer(Oid type);

// A value of one of the types that have ranges, or of boolean, as a number: a numeric as the nearest double.
std::optional<bounds::Number> as_number(Oid type, Datum value);

// Between which numbers a numeric lies; nothing where it is no finite one.
bounds::Bounds around_numeric(Datum value);

}  // namespace dp::guard
