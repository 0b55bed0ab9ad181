// Answers as JSON, the same for every session's settings.
#pragma once

#include "core/accumulate/answer_shape.h"
#include "pg/server.h"

namespace dp::budget {

// An answer of that form, as jsonb: a number, or an array of numbers (null where there is none). In the current memory
// context.
Datum answer_json(const aggregate::Form& form, Datum answer);

}  // namespace dp::budget
