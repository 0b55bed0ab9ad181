// Between which numbers the value of a function of numbers lies, where it is known between which its arguments do.
#pragma once

#include "core/bounds/interval.h"
#include "core/bounds/meaning.h"

namespace dp::bounds {

// Of a function of one number, or of two where there is a second one; nothing where these do not say it. `whole`: the
// function's values are whole numbers. Of the functions and of their total forms, whose NULL is no number.
Bounds of_meaning(Meaning meaning, const Bounds& first, const Bounds* second, bool whole);

// width_bucket() into so many buckets: those, and the two beside them. Nothing where there may be none.
Bounds of_buckets(const Bounds& count);

}  // namespace dp::bounds
