// dp_variance, dp_stddev, dp_var_pop, dp_stddev_pop: the spread of values clamped to the bounds, as PostgreSQL's
// variance and stddev (of a sample), var_pop and stddev_pop.
#include "aggregate/call/value.h"
#include "aggregate/kinds/open_spread.h"
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

Call* prepare_var_pop(const Arguments& arguments) {
  return prepare_moments(arguments, Form::Kind::population_variance);
}
Call* prepare_stddev_pop(const Arguments& arguments) {
  return prepare_moments(arguments, Form::Kind::population_stddev);
}

Datum answer_moments(FunctionCallInfo fcinfo) {
  if (call_of<Call>(fcinfo).support->of_unit == Tag::sample) return open_spread_answer(fcinfo);
  const auto& call = answering_call<ValueCall>(fcinfo);
  const MomentTriple exact = moment_triple(state_or_zero<MomentsState>(fcinfo), call.reader.high);
  const Int128 triple[] = {exact.above, exact.mixed, exact.below};
  return answer(call, {triple, std::size(triple)});
}

}  // namespace

DP_ROW_FUNCTION(dp_moments_add) { return run_row(fcinfo); }

// The same code under several names, so that each has its own shape of the answer.
DP_SQL_FUNCTION(dp_variance_answer) { return answer_moments(fcinfo); }
DP_SQL_FUNCTION(dp_stddev_answer) { return answer_moments(fcinfo); }
DP_SQL_FUNCTION(dp_var_pop_answer) { return answer_moments(fcinfo); }
DP_SQL_FUNCTION(dp_stddev_pop_answer) { return answer_moments(fcinfo); }

const Support kVariance{dp_moments_add, dp_variance_answer, prepare_variance, Release::noise, Tag::moments,
                        nullptr,        &kOpenVariance};
const Support kStddev{dp_moments_add, dp_stddev_answer, prepare_stddev, Release::noise,
                      Tag::moments,   nullptr,          &kOpenStddev};
const Support kVarPop{dp_moments_add, dp_var_pop_answer, prepare_var_pop, Release::noise,
                      Tag::moments,   nullptr,           &kOpenVarPop};
const Support kStddevPop{dp_moments_add, dp_stddev_pop_answer, prepare_stddev_pop, Release::noise, Tag::moments,
                         nullptr,        &kOpenStddevPop};

}  // namespace dp::aggregate
