// Plain types: numbers, text, dates and times. Their functions and operators read nothing but their arguments and
// settings.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// A domain counts as its base type.
bool is_plain(Oid type);

}  // namespace dp::guard
