// dp_internal.sqrt, ln, log, exp, power, sines and their like: what PostgreSQL's functions of these names give, and
// NULL where these raise an error: outside their domain, on overflow and on underflow.
#include <cmath>

#include "total_functions/attempt.h"

namespace {

double approximately(Numeric number) {
  return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(number)));
}

bool is_zero(Numeric number) {
  return DatumGetBool(DirectFunctionCall2(numeric_eq, NumericGetDatum(number), NumericGetDatum(int64_to_numeric(0))));
}

// Whether the number has at most about 1000 digits and lies between 1e-300 and 1e300: of others, roots and logarithms
// take seconds.
bool is_moderate(Numeric number) {
  constexpr Size kLongest = 520;
  if (VARSIZE_ANY(number) > kLongest) return false;
  const double size = std::fabs(approximately(number));
  if (!std::isfinite(size)) return numeric_is_nan(number) || numeric_is_inf(number);
  return (size > 1e-300 && size < 1e300) || is_zero(number);
}

// The most decimal digits that a power is computed with.
constexpr double kMostDigits = 2000;

bool has_moderate_power(Numeric base, Numeric exponent) {
  if (!is_moderate(base) || !is_moderate(exponent)) return false;
  const double digits = approximately(exponent) * std::log10(std::fabs(approximately(base)));
  return !std::isfinite(digits) || std::fabs(digits) < kMostDigits;
}

}  // namespace

#define DP_TOTAL_MODERATE(name, function)                     \
  DP_TOTAL_FUNCTION(name) {                                   \
    if (!is_moderate(PG_GETARG_NUMERIC(0))) PG_RETURN_NULL(); \
    DP_RETURN_ATTEMPT(function(fcinfo));                      \
  }

// ---- roots, logarithms, powers --------------------------------------------------------------------------------------

DP_TOTAL_FORM(dp_sqrt_float8, dsqrt)
DP_TOTAL_FORM(dp_ln_float8, dlog1)
DP_TOTAL_FORM(dp_log_float8, dlog10)
DP_TOTAL_FORM(dp_exp_float8, dexp)
DP_TOTAL_FORM(dp_power_float8, dpow)

DP_TOTAL_MODERATE(dp_sqrt_numeric, numeric_sqrt)
DP_TOTAL_MODERATE(dp_ln_numeric, numeric_ln)

DP_TOTAL_FUNCTION(dp_log_numeric) {
  if (!is_moderate(PG_GETARG_NUMERIC(0)) || !is_moderate(PG_GETARG_NUMERIC(1))) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(numeric_log(fcinfo));
}
DP_TOTAL_FUNCTION(dp_exp_numeric) {
  Numeric const exponent = PG_GETARG_NUMERIC(0);
  if (!is_moderate(exponent) || std::fabs(approximately(exponent)) > kMostDigits) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(numeric_exp(fcinfo));
}
DP_TOTAL_FUNCTION(dp_power_numeric) {
  if (!has_moderate_power(PG_GETARG_NUMERIC(0), PG_GETARG_NUMERIC(1))) PG_RETURN_NULL();
  DP_RETURN_ATTEMPT(numeric_power(fcinfo));
}

// ---- angles ---------------------------------------------------------------------------------------------------------

DP_TOTAL_FORM(dp_sin, dsin)
DP_TOTAL_FORM(dp_cos, dcos)
DP_TOTAL_FORM(dp_tan, dtan)
DP_TOTAL_FORM(dp_cot, dcot)
DP_TOTAL_FORM(dp_asin, dasin)
DP_TOTAL_FORM(dp_acos, dacos)
DP_TOTAL_FORM(dp_atan, datan)
DP_TOTAL_FORM(dp_atan2, datan2)
DP_TOTAL_FORM(dp_degrees, degrees)
DP_TOTAL_FORM(dp_radians, radians)

// ---- whole quotients and divisors -----------------------------------------------------------------------------------

DP_TOTAL_FORM(dp_div_trunc_numeric, numeric_div_trunc)
DP_TOTAL_FORM(dp_gcd_int4, int4gcd)
DP_TOTAL_FORM(dp_gcd_int8, int8gcd)
DP_TOTAL_FORM(dp_lcm_int4, int4lcm)
DP_TOTAL_FORM(dp_lcm_int8, int8lcm)
DP_TOTAL_FORM(dp_width_bucket_float8, width_bucket_float8)
DP_TOTAL_FORM(dp_width_bucket_numeric, width_bucket_numeric)
