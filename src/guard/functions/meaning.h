// What PostgreSQL's functions compute, their total forms and our own.
#pragma once

#include "core/bounds/meaning.h"
#include "pg/planner.h"

namespace dp::guard {

using bounds::Meaning;

// Those of users mean nothing.
Meaning meaning_of(Oid function);

}  // namespace dp::guard
