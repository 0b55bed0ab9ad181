// The text of an aggregate call as a person would write it: dp_avg(age, 0, 110, 0.5).
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// `names`: a context of deparse_context_for(). Casts that PostgreSQL added to constants are left out.
char* text_of_call(Node* call, List* names);

}  // namespace dp::guard
