// dp_count: the number of rows, or of values that are not NULL.
#include "aggregate/call/call.h"
#include "aggregate/call/settings.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

Datum count_row(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0)) [[unlikely]]
    return with_new_state<CountState>(fcinfo, count_row);
  auto& state = own_state<CountState>(fcinfo);
  state.add();
  PG_RETURN_POINTER(&state);
}

Datum count_value(FunctionCallInfo fcinfo) { return PG_ARGISNULL(1) ? same_state(fcinfo) : count_row(fcinfo); }

// dp_count(*) has no arguments; otherwise value [, epsilon [, mechanism]].
Call* prepare_count(const Arguments& arguments) {
  Call* const call = make_call<Call>();
  call->row = arguments.count() > 0 && !arguments.is_certain(0) ? count_value : count_row;
  if (arguments.count() > 1) {
    call->epsilon = arguments.epsilon(1);
  } else if (epsilon_setting() > 0) {
    call->epsilon = mechanism::Epsilon::from(epsilon_setting());
  } else {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("dp_count without epsilon needs the setting dp.epsilon"),
             errhint("SET dp.epsilon = 0.5; or give epsilon in the call: dp_count('*', 0.5).")));
  }
  call->mechanism = arguments.mechanism(2);
  set_form(call, {.kind = Form::Kind::bigint});
  call->changes = mechanism::Changes::one(1);
  call->lattice = mechanism::Lattice::integer;
  return call;
}

}  // namespace

DP_ROW_FUNCTION(dp_count_add) { return run_row(fcinfo); }

DP_SQL_FUNCTION(dp_count_answer) {
  const auto& call = answering_call<Call>(fcinfo);
  const Int128 rows = state_or_zero<CountState>(fcinfo).rows;
  return answer(call, {&rows, 1});
}

const Support kCount{dp_count_add, dp_count_answer, prepare_count, Release::noise, Tag::count};

}  // namespace dp::aggregate
