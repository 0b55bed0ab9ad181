// Averages in ordinary SQL of values without bounds (call_bounds.h): the quotient of a sum and a count, each at half of
// the price. Sums and counts of the same value under the same condition in the same level are these.
#pragma once

#include "guard/rewrite/aggregate_calls.h"
#include "guard/rewrite/private_calls.h"

namespace dp::guard {

struct OpenMean {
  const Aggref* average;  // as the level writes it
  Aggref* sum;            // the private calls
  Aggref* count;
};

// The average among the ordinary aggregates of a level whose value and condition are those of the call, which is an
// average itself, a sum or a count; nullptr where there is none.
const Aggref* average_of(List* ordinary, const Aggref* call);

// The private calls of that average, whose value has no bounds. `ends`: those of an open sum.
OpenMean make_open_mean(const Aggref* average, List* ends, const AnswerDefaults& defaults);

// What they say in the place of the call (average_of), in its type.
Node* open_answer(const OpenMean& mean, const Aggref* call);

// dp_error, or dp_bias, of the call. An average misses by about the root of the squares of what both miss by.
Node* open_error(const OpenMean& mean, FuncExpr* error, const Aggref* call);

}  // namespace dp::guard
