// How many digits the value of a numeric expression has before the point at most, whatever the rows hold.
//
// A numeric can have 131072, and what would have more is an error. numeric(p, s) has at most 2000, a part of a moment
// at most 20: products and sums of some of these are far from it.
#pragma once

#include <optional>

#include "pg/planner.h"

namespace dp::guard {

// Whether a call of arithmetic with numerics, or of a cast to a floating-point number, gives a result for every row,
// since its arguments have few digits. A divisor must be a constant that is finite and at least 0.001, or at most
// -0.001. False for other functions.
bool has_few_digits(Oid function, List* arguments);

// How many digits behind the point PostgreSQL shows of a sum of such values, as their types and arithmetic say; nothing
// where that depends on the rows.
std::optional<int> decimals_of(Node* expression);

}  // namespace dp::guard
