// Noisy integers as SQL values.
#pragma once

#include "core/accumulate/answer_shape.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

// The type of the answers of that form.
Oid answer_type(Form::Kind kind);

// The answer that these integers give: one for bigint, numeric and float8, two for a mean, three for a variance or a
// stddev, any number for bigints and bounds. In the current memory context. Arithmetic on noisy values only.
Datum answer_of(const Form& form, noise::Int128View noisy);

}  // namespace dp::aggregate
