// dp_variance, dp_stddev: the spread of values clamped to the bounds, as PostgreSQL's variance and stddev (of a
// sample).
#include "aggregate/call/value.h"
#include "core/accumulate/noisy_answer.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Call* prepare_moments(const Arguments& arguments, Form::Kind kind) {
  ValueCall* const call = prepare_value<MomentsState>(arguments, Origin::lower, 32);
  const auto range = static_cast<Uint128>(call->reader.high);
  set_form(call, kind, 3);
  call->changes = mechanism::Changes::sharing(3, range * range);
  return call;
}

Call* prepare_variance(const Arguments& arguments) { return prepare_moments(arguments, Form::Kind::variance); }
Call* prepare_stddev(const Arguments& arguments) { return prepare_moments(arguments, Form::Kind::stddev); }

Datum answer_moments(FunctionCallInfo fcinfo) {
  const auto& call = answering_call<ValueCall>(fcinfo);
  const MomentTriple exact = moment_triple(state_or_zero<MomentsState>(fcinfo), call.reader.high);
  const Int128 triple[] = {exact.above, exact.mixed, exact.below};
  return answer(call, {triple, std::size(triple)});
}

}  // namespace

DP_ROW_FUNCTION(dp_moments_add) { return run_row(fcinfo); }

// The same code under two names, so that each has its own shape of the answer.
DP_SQL_FUNCTION(dp_variance_answer) { return answer_moments(fcinfo); }
DP_SQL_FUNCTION(dp_stddev_answer) { return answer_moments(fcinfo); }

const Support kVariance{dp_moments_add, dp_variance_answer, prepare_variance, Release::noise, Tag::moments};
const Support kStddev{dp_moments_add, dp_stddev_answer, prepare_stddev, Release::noise, Tag::moments};

}  // namespace dp::aggregate
