#include "guard/rewrite/known_aggregates.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/refusal.h"
#include "pg/joins.h"

namespace dp::guard {
namespace {

// Those with bounds and one value, and the private one of each.
struct Known {
  Oid function;
  const char* name;
};
constexpr Known kBounded[] = {
    {F_SUM_INT2, "dp_sum"},
    {F_SUM_INT4, "dp_sum"},
    {F_SUM_INT8, "dp_sum"},
    {F_SUM_FLOAT4, "dp_sum"},
    {F_SUM_FLOAT8, "dp_sum"},
    {F_SUM_NUMERIC, "dp_sum"},
    {F_AVG_INT2, "dp_avg"},
    {F_AVG_INT4, "dp_avg"},
    {F_AVG_INT8, "dp_avg"},
    {F_AVG_FLOAT4, "dp_avg"},
    {F_AVG_FLOAT8, "dp_avg"},
    {F_AVG_NUMERIC, "dp_avg"},
    {F_VARIANCE_INT2, "dp_variance"},
    {F_VARIANCE_INT4, "dp_variance"},
    {F_VARIANCE_INT8, "dp_variance"},
    {F_VARIANCE_FLOAT4, "dp_variance"},
    {F_VARIANCE_FLOAT8, "dp_variance"},
    {F_VARIANCE_NUMERIC, "dp_variance"},
    {F_VAR_SAMP_INT2, "dp_variance"},
    {F_VAR_SAMP_INT4, "dp_variance"},
    {F_VAR_SAMP_INT8, "dp_variance"},
    {F_VAR_SAMP_FLOAT4, "dp_variance"},
    {F_VAR_SAMP_FLOAT8, "dp_variance"},
    {F_VAR_SAMP_NUMERIC, "dp_variance"},
    {F_STDDEV_INT2, "dp_stddev"},
    {F_STDDEV_INT4, "dp_stddev"},
    {F_STDDEV_INT8, "dp_stddev"},
    {F_STDDEV_FLOAT4, "dp_stddev"},
    {F_STDDEV_FLOAT8, "dp_stddev"},
    {F_STDDEV_NUMERIC, "dp_stddev"},
    {F_STDDEV_SAMP_INT2, "dp_stddev"},
    {F_STDDEV_SAMP_INT4, "dp_stddev"},
    {F_STDDEV_SAMP_INT8, "dp_stddev"},
    {F_STDDEV_SAMP_FLOAT4, "dp_stddev"},
    {F_STDDEV_SAMP_FLOAT8, "dp_stddev"},
    {F_STDDEV_SAMP_NUMERIC, "dp_stddev"},
    {F_VAR_POP_INT2, "dp_var_pop"},
    {F_VAR_POP_INT4, "dp_var_pop"},
    {F_VAR_POP_INT8, "dp_var_pop"},
    {F_VAR_POP_FLOAT4, "dp_var_pop"},
    {F_VAR_POP_FLOAT8, "dp_var_pop"},
    {F_VAR_POP_NUMERIC, "dp_var_pop"},
    {F_STDDEV_POP_INT2, "dp_stddev_pop"},
    {F_STDDEV_POP_INT4, "dp_stddev_pop"},
    {F_STDDEV_POP_INT8, "dp_stddev_pop"},
    {F_STDDEV_POP_FLOAT4, "dp_stddev_pop"},
    {F_STDDEV_POP_FLOAT8, "dp_stddev_pop"},
    {F_STDDEV_POP_NUMERIC, "dp_stddev_pop"},
    {F_PERCENTILE_CONT_FLOAT8_FLOAT8, "dp_quantile"},
    {F_PERCENTILE_DISC_FLOAT8_ANYELEMENT, "dp_quantile"},
    {F_PERCENTILE_CONT__FLOAT8_FLOAT8, "dp_quantiles"},
    {F_PERCENTILE_DISC__FLOAT8_ANYELEMENT, "dp_quantiles"},
};

constexpr Known kOfPairs[] = {
    {F_CORR, "dp_corr"},
    {F_COVAR_POP, "dp_covar_pop"},
    {F_COVAR_SAMP, "dp_covar_samp"},
    {F_REGR_COUNT, "dp_regr_count"},
    {F_REGR_AVGX, "dp_regr_avgx"},
    {F_REGR_AVGY, "dp_regr_avgy"},
    {F_REGR_SXX, "dp_regr_sxx"},
    {F_REGR_SXY, "dp_regr_sxy"},
    {F_REGR_SYY, "dp_regr_syy"},
    {F_REGR_R2, "dp_regr_r2"},
    {F_REGR_SLOPE, "dp_regr_slope"},
    {F_REGR_INTERCEPT, "dp_regr_intercept"},
};

template <std::size_t kCount>
const char* form_among(const Known (&all)[kCount], Oid function) {
  const auto* const known =
      std::find_if(std::begin(all), std::end(all), [=](const Known& one) { return one.function == function; });
  return known == std::end(all) ? nullptr : known->name;
}

}  // namespace

const char* bounded_form(Oid function) { return form_among(kBounded, function); }

const char* form_of_pairs(Oid function) { return form_among(kOfPairs, function); }

bool is_sum(Oid function) {
  const char* const form = bounded_form(function);
  return form != nullptr && strcmp(form, "dp_sum") == 0;
}

int extreme_of(Oid function) {
  constexpr Oid kOfBooleans[] = {F_BOOL_AND, F_BOOL_OR, F_EVERY};
  if (function >= FirstGenbkiObjectId ||
      std::find(std::begin(kOfBooleans), std::end(kOfBooleans), function) != std::end(kOfBooleans)) {
    return 0;
  }
  HeapTuple const row = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
  if (!HeapTupleIsValid(row)) return 0;
  const Oid order = reinterpret_cast<Form_pg_aggregate>(GETSTRUCT(row))->aggsortop;
  ReleaseSysCache(row);
  if (!OidIsValid(order) || !pg::is_comparison(order)) return 0;
  return pg::comparison_of(order) == BTLessStrategyNumber ? -1 : 1;
}

// What to ask in the place of a call that has no private form though aggregates of its name have one, as of an interval
// or of several fractions; nullptr for others.
static const char* asked_instead(const Aggref* call) {
  if (call->aggfnoid >= FirstGenbkiObjectId || call->args == NIL) return nullptr;
  if (extreme_of(call->aggfnoid) != 0) {
    return "Of numbers, dates and timestamps the ends of the declared range are shown. Which values a column of "
           "another "
           "type has SELECT DISTINCT shows for nothing, where they are declared";
  }
  if (call->aggdirectargs != NIL && type_is_array(exprType(static_cast<Node*>(linitial(call->aggdirectargs)))))
    return "Ask for each fraction by itself: percentile_cont(0.25) WITHIN GROUP (ORDER BY x), and so on";
  const char* const name = get_func_name(call->aggfnoid);
  if (form_of_pairs(call->aggfnoid) != nullptr) return "Without DISTINCT it has one";
  const bool known = std::any_of(std::begin(kBounded), std::end(kBounded),
                                 [=](const Known& one) { return strcmp(get_func_name(one.function), name) == 0; });
  if (!known) return nullptr;
  const auto* const value = reinterpret_cast<Node*>(linitial_node(TargetEntry, call->args)->expr);
  return exprType(value) == INTERVALOID ? "Ask for its seconds: extract(epoch FROM x) in the place of x"
                                        : "Of numbers it has one";
}

void refuse_without_form(const Aggref* call) {
  const char* const name = get_func_name(call->aggfnoid);
  const bool truth = call->aggfnoid == F_BOOL_AND || call->aggfnoid == F_BOOL_OR || call->aggfnoid == F_EVERY;
  if (truth) {
    DP_REFUSE(call->location, errmsg("%s depends on single rows of a protected table", name),
              errhint("Count the rows where it holds and all of them: count(*) FILTER (WHERE ...), count(*)."));
  }
  if (const char* const other = asked_instead(call)) {
    DP_REFUSE(call->location,
              errmsg("aggregate %s has no private form over a protected table", format_procedure(call->aggfnoid)),
              errhint("%s.", other));
  }
  DP_REFUSE(call->location, errmsg("aggregate %s has no private form over a protected table", name),
            errhint("count, sum, avg, variance, stddev, var_pop, stddev_pop, percentile_cont, percentile_disc, mode, "
                    "min and max have one; "
                    "or ask with private aggregates, for example dp_count('*', %s).",
                    example_epsilon()));
  pg_unreachable();
}

}  // namespace dp::guard
