// Functions that tools call on columns and that can fail, in a form that cannot: NULL in place of the error.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The expression with date_trunc, and the casts of dates that come with it, in their total forms (dp_trunc, dp_try_timestamptz).
// The field of date_trunc must be a constant or a parameter: a call of it on a constant is appended to `constants`, so that one
// that does not exist is an error before any row is read.
Node* clamped(Node* expression, List** constants);

}  // namespace dp::guard
