// Prefix sums (core/accumulate/prefix_sums.h) as an SQL value: dp_cumulative.
#pragma once

#include "core/accumulate/answer_shape.h"
#include "core/mechanism/law.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

constexpr bool is_cumulative(Form::Kind kind) { return kind == Form::Kind::cumulative; }

// The columns of the type.
enum class CumulativeColumn { lower = 1, upper, counts, tree, noise };

// The standard deviation of the noise of each number, in rows. `summed`: each is the sum of so many.
double noise_of_numbers(const Form& form, const mechanism::Law& law, int summed);

// `noise`: as above.
Datum cumulative_answer(const Form& form, noise::Int128View noisy, double noise);

// How far the count that is off the most is off, with that confidence.
double cumulative_error(const Form& form, double noise, double confidence);

}  // namespace dp::aggregate
