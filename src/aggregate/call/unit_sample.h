// Samples of the rows of privacy units (core/accumulate/sample.h) as transition states of PostgreSQL.
#pragma once

#include "aggregate/call/call.h"
#include "core/accumulate/sample.h"

namespace dp::aggregate {

// Keeps the row's bucket (or point), perhaps, in the state of argument 0. Where the call's node keeps states of units,
// it is a record of these; else it is made where there is none. Returns the state, which may have moved.
Datum keep_row(FunctionCallInfo fcinfo, const Call& call, std::int64_t bucket);

// Records of units have room for that many rows of each sample at most.
inline constexpr std::uint32_t kMostInRecord = 16;

// The rows of both; in the memory of states. `own` may move; nullptr: none. Raises an error where they are not of the
// same aggregate.
SampleState* combine_samples(MemoryContext memory, SampleState* own, const SampleState& other);

}  // namespace dp::aggregate
