// Answers as JSON, the same for every session's settings.
#pragma once

#include "core/accumulate/answer_shape.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::budget {

// The answer that these integers give, as jsonb: a number, or an array of numbers (null where there is none). In the
// current memory context.
Datum answer_json(const aggregate::Form& form, noise::Int128View noisy);

}  // namespace dp::budget
