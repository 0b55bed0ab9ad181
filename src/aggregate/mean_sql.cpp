// dp_avg: the mean of values clamped to the bounds.
#include <algorithm>
#include <cmath>

#include "aggregate/release.h"

#include "aggregate/value_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Call* prepare_avg(const Arguments& arguments) {
  ValueCall* const call = prepare_value(arguments, Origin::lower, 62);
  call->answer_type = FLOAT8OID;
  call->changes = mechanism::Changes::sharing(2, static_cast<Uint128>(call->reader.high));
  return call;
}

}  // namespace

DP_SQL_FUNCTION(dp_mean_add) { return add_value<MeanState>(fcinfo); }

DP_SQL_FUNCTION(dp_avg_answer) {
  const auto& call = call_of<ValueCall>(fcinfo);
  const Reader& reader = call.reader;
  const MeanPair exact = mean_pair(state_or_zero<MeanState>(fcinfo), reader.high);
  const Int128 above = noised(call, exact.above);
  const Int128 below = noised(call, exact.below);
  const double position = mean_position({above, below});
  // For whole numbers the lower end of the grid is the rounded bound.
  const double lower = reader.reads_integers() ? static_cast<double>(reader.integer.low) : reader.bounds.lower;
  const double width = std::ldexp(static_cast<double>(reader.high), reader.exponent);
  PG_RETURN_FLOAT8(lower + width * position);
}

const Support kAvg{dp_mean_add, dp_avg_answer, prepare_avg};

}  // namespace dp::aggregate
