// The call of an aggregate over counts of buckets or categories.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

struct HistogramCall : Call {
  int size;              // of the counts
  std::uint64_t points;  // below which the points of rows are that are kept instead (core/accumulate/points.h); 0: none
  double noise;  // of its numbers beside that of a count that all of what a limit cuts would be missing in; of those
                 // whose limit may be chosen
};

}  // namespace dp::aggregate
