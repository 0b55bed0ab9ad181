// What EXPLAIN says of the error of private answers. Public parameters only, in floating point.
#pragma once

#include "guard/release/answered_as.h"

namespace dp::guard {

// The mean of |noise| of the answer, as text: that of each bucket for a histogram; for an average divided by the rows
// that count. nullptr where it depends on the data, as for choices and variances. Palloc'd. What contribution bounding
// leaves out is not in it.
const char* expected_error(const AnsweredAs& answered);

// Of a choice by rank the ranks that it is off, as text; nullptr for others. Palloc'd.
const char* expected_ranks(const aggregate::Call& call);

}  // namespace dp::guard
