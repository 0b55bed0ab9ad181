// What the aggregates over responses and reports have in common: an array of (category, estimate, standard_error).
#pragma once

#include "core/accumulate/response.h"

#include "aggregate/call/call.h"

namespace dp::aggregate {

// Plain data, for a call.
struct Estimates {
  TupleDesc row;
  noise::Odds odds;  // of each response, or of each bit of a report
};

// Sets the type of the call's answer. The call ends with that many arguments, the last being epsilon, which
// `parts` independent responses lose together.
Estimates make_estimates(Call* call, const Arguments& arguments, int count, unsigned parts);

Datum estimate_row(const Estimates& estimates, const char* category, const ResponseEstimate& estimate);
Datum estimates_answer(const Estimates& estimates, Datum* rows, int count);

}  // namespace dp::aggregate
