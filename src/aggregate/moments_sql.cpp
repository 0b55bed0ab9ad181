// dp_variance, dp_stddev: the spread of values clamped to the bounds, as PostgreSQL's variance and stddev (of a sample).
#include <cmath>

#include "aggregate/release.h"

#include "aggregate/value_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Call* prepare_moments(const Arguments& arguments) {
  ValueCall* const call = prepare_value(arguments, Origin::lower, 32);
  const auto range = static_cast<Uint128>(call->reader.high);
  call->answer_type = FLOAT8OID;
  call->changes = mechanism::Changes::sharing(3, range * range);
  return call;
}

// The variance as a share of width^2, and the width between the bounds.
struct Spread {
  double position;
  double width;
};

Spread noisy_spread(FunctionCallInfo fcinfo) {
  const auto& call = call_of<ValueCall>(fcinfo);
  const Reader& reader = call.reader;
  const MomentTriple exact = moment_triple(state_or_zero<MomentsState>(fcinfo), reader.high);
  const Int128 above = noised(call, exact.above);
  const Int128 mixed = noised(call, exact.mixed);
  const Int128 below = noised(call, exact.below);
  const double range = static_cast<double>(reader.high);
  const double range_squared = std::ldexp(range * range, static_cast<int>(call.calibration.refinement));
  return {variance_position({above, mixed, below}, range_squared), std::ldexp(range, reader.exponent)};
}

}  // namespace

DP_SQL_FUNCTION(dp_moments_add) { return add_value<MomentsState>(fcinfo); }

DP_SQL_FUNCTION(dp_variance_answer) {
  const auto [position, width] = noisy_spread(fcinfo);
  PG_RETURN_FLOAT8(std::fmin(position * width * width, std::numeric_limits<double>::max()));
}

// The root is taken before the width comes in: its square may be outside float8 where it is not.
DP_SQL_FUNCTION(dp_stddev_answer) {
  const auto [position, width] = noisy_spread(fcinfo);
  PG_RETURN_FLOAT8(std::sqrt(position) * width);
}

const Support kVariance{dp_moments_add, dp_variance_answer, prepare_moments};
const Support kStddev{dp_moments_add, dp_stddev_answer, prepare_moments};

}  // namespace dp::aggregate
