// Arithmetic whose result cannot leave its type, because of what its arguments are computed from.
//
// Most of these functions are not on the list, or under a condition: alone they can fail. Here they cannot, by what
// they are defined to compute; what they depend on (extract, length, the division by a constant) is on the list, and is
// measured.
//
// What is asked for must be seen in the finished plan too, where a part of an expression can be the column of another
// node: it is looked up there (inner/whole_expressions.h).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Whether the call gives a result for every row, since it stays within the whole numbers of its type
// (facts/proven_numbers.h), or within the digits that a numeric can have (facts/digits.h).
bool cannot_overflow(Oid function, List* arguments);

}  // namespace dp::guard
