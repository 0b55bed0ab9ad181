// Types of plain values: numbers, text, dates and times. Their functions and operators read nothing but their
// arguments.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Domains count as what they are made of.
bool is_plain(Oid type);

}  // namespace dp::guard
