// dp_totals and dp_moments: several answers about the values of one column, clamped to the bounds, from one noisy
// vector.
#include "core/accumulate/vector.h"

#include "aggregate/call/value.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// A row adds to its own coordinates what every row adds: nothing is negative, so that this is the l1 of its change.
Call* prepare_totals(const Arguments& arguments) {
  ValueCall* const call = prepare_value<TotalsState>(arguments, Origin::lower, 62);
  set_form(call, Form::Kind::totals, 3);
  call->changes = mechanism::Changes::sharing(3, static_cast<Uint128>(call->reader.high));
  return call;
}

Call* prepare_all_moments(const Arguments& arguments) {
  ValueCall* const call = prepare_value<AllMomentsState>(arguments, Origin::lower, 32);
  const auto range = static_cast<Uint128>(call->reader.high);
  set_form(call, Form::Kind::all_moments, 4);
  call->changes = mechanism::Changes::sharing(4, range * range);
  return call;
}

}  // namespace

DP_ROW_FUNCTION(dp_totals_add) { return run_row(fcinfo); }
DP_ROW_FUNCTION(dp_allmoments_add) { return run_row(fcinfo); }

DP_SQL_FUNCTION(dp_totals_answer) {
  const auto& call = answering_call<ValueCall>(fcinfo);
  const ExactTotals exact = exact_totals(state_or_zero<TotalsState>(fcinfo), call.reader.high);
  const Int128 numbers[] = {exact.pair.above, exact.pair.below, exact.missing};
  return answer(call, {numbers, std::size(numbers)});
}

DP_SQL_FUNCTION(dp_allmoments_answer) {
  const auto& call = answering_call<ValueCall>(fcinfo);
  const ExactMoments exact = exact_moments(state_or_zero<AllMomentsState>(fcinfo), call.reader.high);
  const Int128 numbers[] = {exact.triple.above, exact.triple.mixed, exact.triple.below, exact.missing};
  return answer(call, {numbers, std::size(numbers)});
}

const Support kTotals{dp_totals_add, dp_totals_answer, prepare_totals, Release::noise, Tag::totals};
const Support kAllMoments{dp_allmoments_add, dp_allmoments_answer, prepare_all_moments, Release::noise,
                          Tag::all_moments};

}  // namespace dp::aggregate
