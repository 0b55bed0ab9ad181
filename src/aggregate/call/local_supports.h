// The aggregates over reports of local privacy. They answer without noise, as kResponses does.
#pragma once

#include "aggregate/call/call.h"

namespace dp::aggregate {

extern const Support kUnaryReports;
extern const Support kBloomReports;

}  // namespace dp::aggregate
