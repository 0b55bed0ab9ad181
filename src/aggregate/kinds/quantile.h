// How many ranks quantiles and ends are off, which depends on no row.
#pragma once

#include <optional>

#include "aggregate/call/call.h"

namespace dp::aggregate {

// Of a call's choices: several quantiles at once, after a noisy number of rows (quantiles_together.h).
inline constexpr int kTogether = -1;

// Of a quantile how many ranks it misses in the mean, where values lie about evenly around it; of several each
// (quantiles_together.h; one after the other three halves of their rounds, as measured for 3 to 19 of them); of dp_min
// and dp_max from the end near which rank the answer lies. Nothing of other calls.
struct ExpectedRanks {
  double ranks;
  bool from_end;
};
std::optional<ExpectedRanks> expected_ranks(const Call& call);

}  // namespace dp::aggregate
