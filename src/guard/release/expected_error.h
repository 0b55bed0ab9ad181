// What EXPLAIN says of the error of private answers. Public parameters only, in floating point.
#pragma once

#include "aggregate/call/call.h"

namespace dp::guard {

// The mean of |noise| of the answer, as text: that of each bucket for a histogram; for an average divided by the rows that count. Null
// where it depends on the data: of what is chosen or has squares in it. Palloc'd. What bounding a unit leaves out is not in it.
const char* expected_error(const aggregate::Call& call);

}  // namespace dp::guard
