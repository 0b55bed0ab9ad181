// dp_avg: the mean of values clamped to the bounds.
#include "aggregate/call/value.h"
#include "core/accumulate/noisy_answer.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Call* prepare_avg(const Arguments& arguments) {
  ValueCall* const call = prepare_value<MeanState>(arguments, Origin::lower, 62);
  set_form(call, Form::Kind::mean, 2);
  call->changes = mechanism::Changes::sharing(2, static_cast<Uint128>(call->reader.high));
  return call;
}

}  // namespace

DP_ROW_FUNCTION(dp_mean_add) { return run_row(fcinfo); }

DP_SQL_FUNCTION(dp_avg_answer) {
  const auto& call = answering_call<ValueCall>(fcinfo);
  const MeanPair exact = mean_pair(state_or_zero<MeanState>(fcinfo), call.reader.high);
  const Int128 pair[] = {exact.above, exact.below};
  return answer(call, {pair, std::size(pair)});
}

const Support kAvg{dp_mean_add, dp_avg_answer, prepare_avg, Release::noise, Tag::mean};

}  // namespace dp::aggregate
