// The spread of values without bounds: dp_variance and its like where a bound is infinite
// (core/accumulate/open_spread.h).
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

// What answers in the place of the supports of moments.cpp, by the same functions.
extern const Support kOpenVariance;
extern const Support kOpenStddev;
extern const Support kOpenVarPop;
extern const Support kOpenStddevPop;

// The final function of these. NaN where no range is found; then the call lacks one (call.h).
Datum open_spread_answer(FunctionCallInfo fcinfo);

}  // namespace dp::aggregate
