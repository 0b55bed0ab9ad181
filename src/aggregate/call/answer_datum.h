// Noisy integers as SQL values.
#pragma once

#include <optional>

#include "core/accumulate/answer_shape.h"
#include "core/noise/discrete_laplace.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

// The type of the answers of that form.
Oid answer_type(Form::Kind kind);

// The answer that these integers give: one for bigint, numeric and float8, two for a mean, three for a variance or a
// stddev of either kind, any number for bigints and bounds. In the current memory context. Arithmetic on noisy values
// only.
Datum answer_of(const Form& form, noise::Int128View noisy);

// The ends of an interval around that answer, of its type, which holds the exact one with that confidence where each of
// the integers has noise of that law; of bigints each by itself. Nothing for bounds. Throws dp::Error unless 0 <
// confidence < 1.
struct Ends {
  Datum lower;
  Datum upper;
};
std::optional<Ends> ends_of(const Form& form, noise::Int128View noisy, const noise::DiscreteLaplace& law,
                            double confidence);

}  // namespace dp::aggregate
