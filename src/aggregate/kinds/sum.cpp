// dp_sum: the sum of values clamped to the bounds.
#include <algorithm>

#include "aggregate/call/value.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// The form of PostgreSQL's sum over that type.
Form::Kind form_of_sum(Oid value_type) {
  switch (value_type) {
    case INT2OID:
    case INT4OID:
      return Form::Kind::bigint;
    case FLOAT8OID:
      return Form::Kind::float8;
    default:
      return Form::Kind::numeric;
  }
}

Call* prepare_sum(const Arguments& arguments) {
  ValueCall* const call = prepare_value<SumState>(arguments, Origin::zero, 63);
  set_form(call, form_of_sum(call->reader.type), 1);
  const auto magnitude = [](std::int64_t steps) {
    return steps < 0 ? -static_cast<Uint128>(steps) : static_cast<Uint128>(steps);
  };
  call->changes = mechanism::Changes::one(std::max(magnitude(call->reader.low), magnitude(call->reader.high)));
  return call;
}

}  // namespace

DP_ROW_FUNCTION(dp_sum_add) { return run_row(fcinfo); }

DP_SQL_FUNCTION(dp_sum_answer) {
  const auto& call = answering_call<ValueCall>(fcinfo);
  const auto total = static_cast<Int128>(state_or_zero<SumState>(fcinfo).total);
  return answer(call, {&total, 1});
}

const Support kSum{dp_sum_add, dp_sum_answer, prepare_sum, Release::noise, Tag::sum};

}  // namespace dp::aggregate
