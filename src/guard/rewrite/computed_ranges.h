// Bounds of a value as the range of a column.
#pragma once

#include <optional>

#include "budget/policy/ranges.h"

namespace dp::guard {

// Nothing where the ends are no values of the type: bounds of moments are days, or microseconds since 2000.
std::optional<budget::ColumnRange> range_between(Oid type, double lower, double upper);

}  // namespace dp::guard
