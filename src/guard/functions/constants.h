// Constants among the arguments of a call that is judged.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// The argument's value; nullptr if it depends on a row or is not known yet. What reads no row has been computed already
// (values.h). Nothing is evaluated here, since it could come out differently when it runs.
const Const* constant(List* arguments, int place);

// Values of other types than integers count as `refused`, a number that the condition does not admit. Not for NULL.
int64 integer(const Const* value, int64 refused);

}  // namespace dp::guard
