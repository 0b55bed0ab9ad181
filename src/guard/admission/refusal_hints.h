// Functions that are asked for often and are not total: when they fail, and what to write instead.
#pragma once

#include "guard/admission/total_functions.h"

namespace dp::guard {

// Why a function that is not known to be total is not, and what to write instead.
Verdict known_failure(Oid function);

}  // namespace dp::guard
