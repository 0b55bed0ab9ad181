// Of what the values of an expression are multiples, by its type, its constants and its functions.
#pragma once

#include "core/bounds/grain.h"
#include "guard/facts/known.h"
#include "pg/planner.h"

namespace dp::guard {

// Of a number, or of days. Of floating-point numbers whole ones alone: 0.1 is none of them.
Known<Sound::proven, bounds::Grain> grain_of(Node* expression);

// How many digits behind the point a type modifier of numeric keeps; nothing where it says none.
std::optional<int> digits_behind(int32 modifier);

// Whether a numeric is a whole number that is shown as such, without a point.
bool is_shown_whole(Node* expression);

}  // namespace dp::guard
