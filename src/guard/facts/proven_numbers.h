// Between which numbers the values of expressions lie, whatever the rows hold: by their types, their constants and what
// their functions are defined to compute (i / 10 * 10, extract(month FROM day)::int).
#pragma once

#include "core/bounds/interval.h"
#include "core/bounds/meaning.h"
#include "guard/facts/known.h"
#include "pg/planner.h"

namespace dp::guard {

// Of an integer, or of a numeric that is finite for every row; nothing where that is not known.
Known<Sound::proven, bounds::Interval> proven_numbers(Node* expression);

// What the call comes to, also where that is more than its type holds.
Known<Sound::proven, bounds::Interval> proven_result(Oid function, List* arguments);

// Whether a function fails only where it leaves that type, of integers or numerics, or divides by zero, and else gives
// what it says. (Casts round, see there.)
bool is_computed_exactly(bounds::Meaning meaning, Oid type);

// All values of the type that are integers; nothing of another type.
bounds::Bounds numbers_of_type(Oid type);

// Whether the call gives a result for every row, since it cannot leave its type, because of what its arguments are
// computed from: it stays within the whole numbers of the type, or the digits that a numeric can have (digits.h).
//
// Most of these functions are not on the list of those that are total, or under a condition: alone they can fail. Here
// they cannot, by what they are defined to compute; what they depend on (extract, length, the division by a constant)
// is on the list, and is measured.
//
// What is asked for must be seen in the finished plan too, where a part of an expression can be the column of another
// node: it is looked up there (inner/whole_expressions.h).
bool cannot_overflow(Oid function, List* arguments);

}  // namespace dp::guard
