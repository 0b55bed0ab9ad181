// Noisy integers as SQL values.
#pragma once

#include <optional>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/interval.h"
#include "core/accumulate/pair_noise.h"
#include "core/mechanism/law.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

struct VectorErrors;

// The type of the answers of that form.
Oid answer_type(Form::Kind kind);

// The answer that these integers give: one for bigint, numeric and float8, two for a mean, three for a variance or a
// stddev of either kind and for totals, four for all moments, as many as pairs have (pairs.h), any number for bigints,
// bounds and prefix sums. In the current memory context. Arithmetic on noisy values only. `errors`: of a vector
// (vector_datum.h).
Datum answer_of(const Form& form, noise::Int128View noisy, const VectorErrors* errors);

// A step of 2^exponent has that many decimals.
int decimals_of_steps(int exponent);

// How far the integers of one answer are off, at most, with that confidence, where each has noise of that law. Nothing
// for bounds, vectors and prefix sums, and where the noise depends on the exact answer. `summed`: each integer is the
// sum of so many. In the current memory context. Throws dp::Error unless 0 < confidence < 1.
struct Margin {
  noise::Int128 steps;               // of one number, of bigints of each by itself; in refined steps
  QuotientNoise* quotients;          // of a mean, a variance and a stddev, in place of that
  const PairNoise* pairs = nullptr;  // of one part of pairs, likewise
};
std::optional<Margin> margin_of(const Form& form, const mechanism::Law& law, double confidence, int summed = 1);

// The ends of an interval around that answer, of its type, which holds the exact one with that confidence. Not of
// bounds, nor of vectors.
struct Ends {
  Datum lower;
  Datum upper;
};
Ends ends_of(const Form& form, noise::Int128View noisy, const Margin& margin);

// How far these ends are from the answer, the farther one of them; of bigints that of each.
double error_of(const Form& form, noise::Int128View noisy, const Margin& margin);

}  // namespace dp::aggregate
