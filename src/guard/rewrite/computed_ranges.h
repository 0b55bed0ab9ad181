// Bounds of a value as the range of a column.
#pragma once

#include <optional>

#include "budget/policy/ranges.h"
#include "core/bounds/interval.h"

namespace dp::guard {

// Nothing where the ends are no values of the type: bounds of moments are days, or microseconds since 2000.
std::optional<budget::ColumnRange> range_between(Oid type, const bounds::Interval& bounds);

}  // namespace dp::guard
