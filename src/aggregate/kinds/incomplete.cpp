// Calls that lack parameters: PostgreSQL would say that no such function exists, and not what is missing.
//
// Each aggregate has an overload for them, which refuses before the first row. That of the aggregates over one type of
// value takes any arguments, also a value of a type that they have not; a call that is complete never gets there,
// because its own overload matches the type of the value.
#include "aggregate/call/call.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// What an aggregate takes, in the order of its arguments before the mechanism.
struct Shape {
  const char* name;
  const char* parameters;
  const char* example;
  int count;
};

constexpr const char* kPairs = "y, x, y_lower, y_upper, x_lower, x_upper, epsilon";

constexpr Shape kShapes[] = {
    {"dp_sum", "value, lower, upper, epsilon", "dp_sum(cost, 0, 50000, 0.5)", 4},
    {"dp_avg", "value, lower, upper, epsilon", "dp_avg(age, 0, 110, 0.5)", 4},
    {"dp_variance", "value, lower, upper, epsilon", "dp_variance(age, 0, 110, 0.5)", 4},
    {"dp_stddev", "value, lower, upper, epsilon", "dp_stddev(age, 0, 110, 0.5)", 4},
    {"dp_var_pop", "value, lower, upper, epsilon", "dp_var_pop(age, 0, 110, 0.5)", 4},
    {"dp_stddev_pop", "value, lower, upper, epsilon", "dp_stddev_pop(age, 0, 110, 0.5)", 4},
    {"dp_totals", "value, lower, upper, epsilon", "dp_totals(cost, 0, 50000, 0.5)", 4},
    {"dp_moments", "value, lower, upper, epsilon", "dp_moments(age, 0, 110, 0.5)", 4},
    {"dp_corr", kPairs, "dp_corr(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_covar_pop", kPairs, "dp_covar_pop(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_covar_samp", kPairs, "dp_covar_samp(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_count", kPairs, "dp_regr_count(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_avgx", kPairs, "dp_regr_avgx(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_avgy", kPairs, "dp_regr_avgy(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_sxx", kPairs, "dp_regr_sxx(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_sxy", kPairs, "dp_regr_sxy(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_syy", kPairs, "dp_regr_syy(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_r2", kPairs, "dp_regr_r2(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_slope", kPairs, "dp_regr_slope(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regr_intercept", kPairs, "dp_regr_intercept(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_covariance", kPairs, "dp_covariance(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_regression", kPairs, "dp_regression(cost, age, 0, 50000, 0, 110, 0.5)", 7},
    {"dp_median", "value, lower, upper, epsilon", "dp_median(age, 0, 110, 0.5)", 4},
    {"dp_min", "value, lower, upper, epsilon", "dp_min(age, 0, 110, 0.5)", 4},
    {"dp_max", "value, lower, upper, epsilon", "dp_max(age, 0, 110, 0.5)", 4},
    {"dp_quantile", "value, fraction, lower, upper, epsilon", "dp_quantile(age, 0.9, 0, 110, 0.5)", 5},
    {"dp_quantiles", "value, fractions, lower, upper, epsilon",
     "dp_quantiles(age, ARRAY[0.25, 0.5, 0.75], 0, 110, 0.5)", 5},
    {"dp_bounds", "value, epsilon", "dp_bounds(cost, 0.5)", 2},
    {"dp_mode", "value, categories, epsilon", "dp_mode(ward, ARRAY['surgery', 'oncology'], 0.5)", 3},
    {"dp_cumulative", "value, lower, upper, buckets, epsilon", "dp_cumulative(age, 0, 110, 110, 0.5)", 5},
    {"dp_histogram", "x, y, x_lower, x_upper, x_buckets, y_lower, y_upper, y_buckets, epsilon",
     "dp_histogram(age, days, 0, 110, 11, 0, 60, 12, 0.5)", 9},
    {"dp_histogram", "value, categories, epsilon) or (value, lower, upper, buckets, epsilon",
     "dp_histogram(ward, ARRAY['surgery', 'oncology'], 0.5) or dp_histogram(age, 0, 110, 11, 0.5)", 3},
};

// Of two shapes with one name, the first is the longer one.
const Shape& shape_of(const Arguments& arguments) {
  constexpr int kOfTwoValues = 9;
  for (const Shape& shape : kShapes) {
    if (shape.count == kOfTwoValues && arguments.count() < kOfTwoValues - 1) continue;
    if (strcmp(shape.name, arguments.function()) == 0) return shape;
  }
  arguments.refuse_signature();
}

// (integer, numeric)
const char* types_of(const Arguments& arguments) {
  StringInfoData types;
  initStringInfo(&types);
  for (int i = 0; i < arguments.count(); ++i) {
    appendStringInfo(&types, "%s%s", i == 0 ? "" : ", ", format_type_be(arguments.type(i)));
  }
  return types.data;
}

Call* refuse_incomplete(const Arguments& arguments) {
  const Shape& shape = shape_of(arguments);
  const bool lacks = arguments.count() < shape.count;
  const bool bounded = strstr(shape.parameters, "lower") != nullptr;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("%s takes (%s), not (%s)", shape.name, shape.parameters, types_of(arguments)),
           lacks ? errhint("Give all of them, for example %s; a mechanism may follow.%s", shape.example,
                           bounded ? " dp_bounds(value, 0.5) finds lower and upper; epsilon may be left out after SET "
                                     "dp.epsilon = 0.5."
                                   : " Epsilon may be left out after SET dp.epsilon = 0.5.")
                 : errhint("The value is a number, and so are the others, for example %s; a mechanism may follow.",
                           shape.example)));
  pg_unreachable();
}

}  // namespace

// They never run, because preparing such a call raises the error.
DP_SQL_FUNCTION(dp_incomplete_add) { refuse_direct_call(fcinfo); }
DP_SQL_FUNCTION(dp_incomplete_answer) { refuse_direct_call(fcinfo); }

const Support kIncomplete{dp_incomplete_add, dp_incomplete_answer, refuse_incomplete};

}  // namespace dp::aggregate
