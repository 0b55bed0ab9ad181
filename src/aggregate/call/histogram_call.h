// The call of an aggregate over counts of buckets or categories.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

struct HistogramCall : Call {
  int size;  // of the counts
};

}  // namespace dp::aggregate
