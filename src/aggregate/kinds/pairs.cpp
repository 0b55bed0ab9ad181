// dp_covariance and dp_regression, and each of what they say by itself (dp_corr, dp_regr_slope and the like): how two
// columns go together, of rows that have both, each clamped to its bounds.
#include "core/accumulate/pairs.h"

#include "aggregate/call/call.h"
#include "aggregate/call/pair_datum.h"
#include "core/accumulate/grid.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

struct PairCall : Call {
  RealGrid y, x;
};

// The transition of rows; where y or x is NULL, the row is missing, if anything is said of such rows.
template <class S>
Datum add_pair(FunctionCallInfo fcinfo) {
  if (PG_ARGISNULL(0)) [[unlikely]]
    return with_new_state<S>(fcinfo, add_pair<S>);
  const auto& call = *static_cast<const PairCall*>(static_cast<const Call*>(fcinfo->flinfo->fn_extra));
  auto& state = own_state<S>(fcinfo);
  if (PG_ARGISNULL(1) || PG_ARGISNULL(2)) {
    if (call.counts_missing) state.add_missing(call.form.range, call.form.second.range);
  } else {
    state.add(call.y.steps(PG_GETARG_FLOAT8(1)), call.x.steps(PG_GETARG_FLOAT8(2)), call.form.range,
              call.form.second.range);
  }
  PG_RETURN_POINTER(&state);
}

RealGrid grid_at(const Arguments& arguments, int lower, const char* const (&names)[2]) {
  const Bounds bounds = checked_bounds(arguments.number(lower, names[0]), arguments.number(lower + 1, names[1]));
  return RealGrid::make(bounds, Origin::lower, kPairBits);
}

// (y, x, y_lower, y_upper, x_lower, x_upper, epsilon [, mechanism]). A row adds to numbers that are never negative what
// every row adds: that is the l1 of its change.
Call* prepare_pairs(const Arguments& arguments, Form::Kind kind, Part part) {
  if (arguments.type(0) != FLOAT8OID || arguments.type(1) != FLOAT8OID) arguments.refuse_signature();
  auto* const call = make_call<PairCall>();
  call->y = grid_at(arguments, 2, {"lower bound of y", "upper bound of y"});
  call->x = grid_at(arguments, 4, {"lower bound of x", "upper bound of x"});
  call->epsilon = arguments.epsilon(6);
  call->mechanism = arguments.mechanism(7);
  call->lattice = mechanism::Lattice::fine;
  const Form form{.kind = kind,
                  .exponent = call->y.exponent,
                  .lower = call->y.bounds.lower,
                  .range = call->y.steps(call->y.bounds.upper),
                  .second = {call->x.bounds.lower, call->x.steps(call->x.bounds.upper), call->x.exponent},
                  .part = part};
  const auto numbers = static_cast<unsigned>(numbers_of_column(kind));
  set_form(call, form, static_cast<int>(numbers));
  if (part != Part::whole) call->answer_type = pair_part_type(part);
  const auto once = static_cast<Uint128>(form.range) * static_cast<Uint128>(form.second.range);
  const bool squares = has_squares_of_pairs(kind);
  call->changes = mechanism::Changes::sharing(numbers, squares ? once * once : once);
  call->counts_missing = is_vector(kind);
  call->row = squares ? static_cast<PGFunction>(add_pair<RegressionState>) : add_pair<CovarianceState>;
  return call;
}

template <class S>
Datum answer_pairs(FunctionCallInfo fcinfo) {
  const auto& call = answering_call<PairCall>(fcinfo);
  const ExactPairs exact = exact_pairs(state_or_zero<S>(fcinfo), call.counts_missing);
  return answer(call, {exact.numbers, exact.count});
}

template <Form::Kind kKind, Part kPart>
Call* prepare_part(const Arguments& arguments) {
  return prepare_pairs(arguments, kKind, kPart);
}

constexpr auto kPart = Form::Kind::of_covariance, kSquaredPart = Form::Kind::of_regression;

}  // namespace

DP_ROW_FUNCTION(dp_covariance_add) { return run_row(fcinfo); }
DP_ROW_FUNCTION(dp_regression_add) { return run_row(fcinfo); }

// The same code under several names, so that each has its own shape of the answer.
DP_SQL_FUNCTION(dp_covariance_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_count_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_avgx_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_avgy_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_sxy_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_covar_pop_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_covar_samp_answer) { return answer_pairs<CovarianceState>(fcinfo); }
DP_SQL_FUNCTION(dp_regression_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_sxx_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_syy_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_corr_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_r2_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_slope_answer) { return answer_pairs<RegressionState>(fcinfo); }
DP_SQL_FUNCTION(dp_regr_intercept_answer) { return answer_pairs<RegressionState>(fcinfo); }

constexpr auto kNoise = Release::noise;

const Support kCovariance{dp_covariance_add, dp_covariance_answer, prepare_part<Form::Kind::covariance, Part::whole>,
                          kNoise, Tag::covariance};
const Support kRegression{dp_regression_add, dp_regression_answer, prepare_part<Form::Kind::regression, Part::whole>,
                          kNoise, Tag::regression};

// In the order of Part from pairs on.
const Support kPairParts[kPairPartCount] = {
    {dp_covariance_add, dp_regr_count_answer, prepare_part<kPart, Part::pairs>, kNoise, Tag::covariance},
    {dp_covariance_add, dp_regr_avgx_answer, prepare_part<kPart, Part::avgx>, kNoise, Tag::covariance},
    {dp_covariance_add, dp_regr_avgy_answer, prepare_part<kPart, Part::avgy>, kNoise, Tag::covariance},
    {dp_covariance_add, dp_regr_sxy_answer, prepare_part<kPart, Part::sxy>, kNoise, Tag::covariance},
    {dp_covariance_add, dp_covar_pop_answer, prepare_part<kPart, Part::covar_pop>, kNoise, Tag::covariance},
    {dp_covariance_add, dp_covar_samp_answer, prepare_part<kPart, Part::covar_samp>, kNoise, Tag::covariance},
    {dp_regression_add, dp_regr_sxx_answer, prepare_part<kSquaredPart, Part::sxx>, kNoise, Tag::regression},
    {dp_regression_add, dp_regr_syy_answer, prepare_part<kSquaredPart, Part::syy>, kNoise, Tag::regression},
    {dp_regression_add, dp_corr_answer, prepare_part<kSquaredPart, Part::corr>, kNoise, Tag::regression},
    {dp_regression_add, dp_regr_r2_answer, prepare_part<kSquaredPart, Part::r2>, kNoise, Tag::regression},
    {dp_regression_add, dp_regr_slope_answer, prepare_part<kSquaredPart, Part::slope>, kNoise, Tag::regression},
    {dp_regression_add, dp_regr_intercept_answer, prepare_part<kSquaredPart, Part::intercept>, kNoise, Tag::regression},
};

}  // namespace dp::aggregate
