// What the noisy integers of a vector (core/accumulate/vector.h) say as one SQL value, dp_totals or dp_moments: each
// part beside how far off it is. And what they say of one part by itself, as those of a mean and a variance do.
#pragma once

#include <optional>

#include "core/accumulate/answer_shape.h"
#include "core/accumulate/interval.h"
#include "core/accumulate/pair_noise.h"
#include "core/accumulate/vector.h"
#include "core/mechanism/law.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::aggregate {

// The part that a column of a vector shows, from 1 on; whole for a column of errors.
Part part_of_vector_column(Form::Kind kind, int column);

// The composite type of the answers of that form; the ending of the names of functions that return it.
Oid vector_type(Form::Kind kind);
const char* vector_name(Form::Kind kind);

// How far off the numbers of a vector are with some confidence, in refined steps. Plain data, made once for many
// answers.
struct VectorErrors {
  bool is_known;           // false where the noise depends on the exact answer; then nothing else is there
  QuotientNoise* sums;     // of sums of up to three of the numbers, and of the mean
  QuotientNoise* spread;   // of variances and deviations; of squares alone
  double of_four;          // of the sum of four of the numbers, where there are so many, in refined steps
  double of_each;          // of prefix sums, nothing else: the deviation of each number, in rows,
  double confidence;       // and how sure an error of theirs is
  const PairNoise* pairs;  // in the place of sums to of_four, of forms of pairs
};

// That of what an answer says by itself, as of dp_error.
inline constexpr double kUsualConfidence = 0.95;

// nullptr where the form is neither that of a vector nor that of prefix sums. `summed`: each integer is the sum of so
// many with noise of that law.
const VectorErrors* errors_of_vector(const Form& form, const mechanism::Law& law, int summed = 1,
                                     double confidence = kUsualConfidence);

// Of an answer whose numbers say parts (numbers_of_column), of pairs also of one part alone.
const VectorErrors* errors_of_parts(const Form& form, const mechanism::Law& law, int summed,
                                    double confidence = kUsualConfidence);

// The error of that part, where it is `whole` that of the only one; nothing where it is not known, and of several parts
// together.
std::optional<double> error_of_part(const Form& form, noise::Int128View noisy, const VectorErrors& errors, Part part);

// What the numbers say() of that part, in the type of the aggregate that answers it by itself: bigint, numeric, float8
// or dp_totals.
Datum part_of_answer(const Form& form, noise::Int128View noisy, const VectorErrors& errors, Part part, Oid type);

Datum vector_answer(const Form& form, noise::Int128View noisy, const VectorErrors& errors);

}  // namespace dp::aggregate
