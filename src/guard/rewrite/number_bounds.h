// Between which numbers the value of a function of numbers lies, where it is known between which its arguments do.
#pragma once

#include "core/bounds/interval.h"
#include "guard/functions/meaning.h"

namespace dp::guard {

// Of a function of one number, or of two where there is a second one; nothing where these do not say it. `whole`: the
// function's values are whole numbers.
bounds::Bounds bounds_of_meaning(Meaning meaning, const bounds::Bounds& first, const bounds::Bounds* second,
                                 bool whole);

}  // namespace dp::guard
