// What functions mean for numbers, by their names: PostgreSQL's own and their total forms.
//
// Those of users are not admitted below the aggregate; a wrong meaning would give an answer that is clamped too
// narrowly, no more.
#pragma once

#include <optional>

#include "core/bounds/interval.h"
#include "pg/planner.h"

namespace dp::guard {

enum class Meaning {
  plus,
  minus,
  times,
  over,
  quotient,  // cut towards zero
  rest,
  negated,
  absolute,
  same,
  floor,
  cut,
  ceiling,
  round,
  part,  // of a moment, or of the time between two
  root,
  cube_root,
  exponential,
  natural_logarithm,
  logarithm,
  power,
  sign,
  divisor,   // the greatest common one
  multiple,  // the least common one
  bucket,
  multiple_below,  // the next multiple of a number
  bin,             // the beginning of a span of time
  wave,            // between -1 and 1
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent_of_two,
  degrees,
  radians,
  bits_of_both,
  bits_of_either,
  bits_turned,
  age,
  in_zone,
  truncated,
  of_seconds,
  made_date,
  characters,
  bytes,
  place,
  code,
  digits,
  elements
};

std::optional<Meaning> meaning_of(Oid function);

// The value of a function of one number, or of two where there is a second one; nothing where these do not say it.
// `whole`: the function's values are whole numbers.
bounds::Bounds bounds_of_meaning(Meaning meaning, const bounds::Bounds& first, const bounds::Bounds* second,
                                 bool whole);

}  // namespace dp::guard
