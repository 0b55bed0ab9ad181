// What a function computes, whatever its types and however it is called: one word for PostgreSQL's functions of several
// types and names, and for their total forms.
#pragma once

#include <cstdint>

namespace dp::bounds {

enum class Meaning : std::uint8_t {
  none,  // nothing that anybody asks about

  // Of numbers; of moments and intervals where their types are those.
  plus,
  minus,
  times,
  divide,  // of whole numbers cut towards zero
  div,     // cut towards zero
  mod,
  negate,
  abs,
  sign,
  cast,  // to another type of numbers, or of moments
  floor,
  trunc,
  ceil,
  round,
  trim_scale,
  scale,
  sqrt,
  cbrt,
  exp,
  ln,
  log,
  power,
  gcd,
  lcm,
  sin_or_cos,
  asin,
  acos,
  atan,
  atan2,
  degrees,
  radians,
  bits_and,
  bits_or,  // also the exclusive one
  bits_not,
  width_bucket,
  dp_bucket,  // the next multiple of a number below

  // Of moments.
  extract,
  date_trunc,
  date_bin,
  timezone,
  time_of_day,  // cast to a time
  age,
  to_timestamp,  // of seconds
  make_date,

  // Of texts and arrays.
  length,
  octet_length,
  position,
  ascii,
  array_size,
  to_text,  // cast
  to_char,
  change_case,
  concat,
  left_or_right,
  pad,
  repeat,
  reverse,
  split_part,
  substring,
  translate,
  trim,

  capped  // NULL in the place of a value of more than 1 MB (admission/growth.h)
};

}  // namespace dp::bounds
