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

}  // namespace dp::guard
