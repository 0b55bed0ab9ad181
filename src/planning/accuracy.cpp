// dp_usefulness, dp_epsilon_for, dp_interval, dp_collusion_error: how far off one number is.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/mechanism/error.h"
#include "core/planning/collusion.h"
#include "planning/values.h"

namespace dp::planning {
namespace {

// Two columns, lower and upper.
Datum interval(FunctionCallInfo fcinfo, Datum lower, Datum upper) {
  TupleDesc row;
  if (get_call_result_type(fcinfo, nullptr, &row) != TYPEFUNC_COMPOSITE) elog(ERROR, "return type must be a row type");
  Datum values[] = {lower, upper};
  bool nulls[] = {false, false};
  return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls));
}

// Of the arguments (answer, mechanism, epsilon, confidence, sensitivity).
double half_width_of_arguments(FunctionCallInfo fcinfo, mechanism::Lattice lattice) {
  const Noise noise{mechanism_argument(fcinfo, 1), PG_GETARG_FLOAT8(4), lattice};
  return half_width(noise, epsilon_argument(fcinfo, 2), PG_GETARG_FLOAT8(3));
}

int64 inside_bigint(int64 answer, __int128 bound) {
  if (bound >= PG_INT64_MIN && bound <= PG_INT64_MAX) return static_cast<int64>(bound);
  throw Error("interval around " + std::to_string(answer) + " does not fit into bigint",
              "Cast the answer to numeric and give whole => true.");
}

Datum whole_interval(FunctionCallInfo fcinfo, int64 answer) {
  const double half = std::ceil(half_width_of_arguments(fcinfo, mechanism::Lattice::integer));
  const auto width = static_cast<__int128>(std::min(half, 0x1p100));
  const int64 lower = inside_bigint(answer, answer - width), upper = inside_bigint(answer, answer + width);
  return interval(fcinfo, Int64GetDatum(lower), Int64GetDatum(upper));
}

}  // namespace

// dp_usefulness(mechanism, epsilon, gamma, sensitivity, integer, whole) returns float8
DP_SQL_FUNCTION(dp_usefulness) {
  const Noise noise{mechanism_argument(fcinfo, 0), PG_GETARG_FLOAT8(3), lattice_argument(fcinfo, 4)};
  PG_RETURN_FLOAT8(usefulness(noise, epsilon_argument(fcinfo, 1), PG_GETARG_FLOAT8(2)));
}

// dp_epsilon_for(mechanism, error, confidence, sensitivity, integer, whole) returns float8
DP_SQL_FUNCTION(dp_epsilon_for) {
  const Noise noise{mechanism_argument(fcinfo, 0), PG_GETARG_FLOAT8(3), lattice_argument(fcinfo, 4)};
  PG_RETURN_FLOAT8(epsilon_for(noise, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2)).value());
}

// dp_collusion_error(mechanism, epsilon, k, sensitivity, integer, whole) returns float8
DP_SQL_FUNCTION(dp_collusion_error) {
  const Noise noise{mechanism_argument(fcinfo, 0), PG_GETARG_FLOAT8(3), lattice_argument(fcinfo, 4)};
  PG_RETURN_FLOAT8(collusion_error(noise, epsilon_argument(fcinfo, 1), PG_GETARG_INT32(2)));
}

// dp_interval(bigint, mechanism, epsilon, confidence, sensitivity) returns (bigint, bigint)
DP_SQL_FUNCTION(dp_interval_int8) { return whole_interval(fcinfo, PG_GETARG_INT64(0)); }

// dp_interval(integer, mechanism, epsilon, confidence, sensitivity) returns (bigint, bigint)
DP_SQL_FUNCTION(dp_interval_int4) { return whole_interval(fcinfo, PG_GETARG_INT32(0)); }

// dp_interval(float8, mechanism, epsilon, confidence, sensitivity, integer, whole) returns (float8, float8)
DP_SQL_FUNCTION(dp_interval_float8) {
  const double answer = PG_GETARG_FLOAT8(0), half = half_width_of_arguments(fcinfo, lattice_argument(fcinfo, 5));
  if (!std::isfinite(answer)) {
    throw Error("answer must be a finite number, not " + mechanism::decimal(answer),
                "Give an answer of a noisy sum, for example dp_sum(cost, 0, 100, 0.5).");
  }
  return interval(fcinfo, Float8GetDatum(answer - half), Float8GetDatum(answer + half));
}

// dp_interval(numeric, mechanism, epsilon, confidence, sensitivity, integer, whole) returns (numeric, numeric)
DP_SQL_FUNCTION(dp_interval_numeric) {
  const std::string half = mechanism::decimal(half_width_of_arguments(fcinfo, lattice_argument(fcinfo, 5)));
  return pg::call([&] {
    const Datum width =
        DirectFunctionCall3(numeric_in, CStringGetDatum(half.c_str()), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
    return interval(fcinfo, DirectFunctionCall2(numeric_sub, PG_GETARG_DATUM(0), width),
                    DirectFunctionCall2(numeric_add, PG_GETARG_DATUM(0), width));
  });
}

}  // namespace dp::planning
