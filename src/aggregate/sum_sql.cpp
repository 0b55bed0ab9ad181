// dp_sum: the sum of values clamped to the bounds.
#include <algorithm>
#include <cmath>

#include "aggregate/release.h"

#include "aggregate/value_sql.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

// The type of PostgreSQL's sum.
Oid answer_type(Oid value_type) {
  switch (value_type) {
    case INT2OID:
    case INT4OID:
      return INT8OID;
    case FLOAT8OID:
      return FLOAT8OID;
    default:
      return NUMERICOID;
  }
}

Call* prepare_sum(const Arguments& arguments) {
  ValueCall* const call = prepare_value(arguments, Origin::zero, 63);
  call->answer_type = answer_type(call->reader.type);
  const auto magnitude = [](std::int64_t steps) {
    return steps < 0 ? -static_cast<Uint128>(steps) : static_cast<Uint128>(steps);
  };
  call->changes = mechanism::Changes::one(std::max(magnitude(call->reader.low), magnitude(call->reader.high)));
  return call;
}

// As many decimals as a step of 2^exponent has places: more would show digits of the grid, not of the sum.
Numeric numeric_answer(Int128 steps, int exponent) {
  const Datum exact = DirectFunctionCall2(numeric_mul, NumericGetDatum(to_numeric(steps)),
                                          NumericGetDatum(numeric_power_of_two(exponent)));
  const int decimals = exponent < 0 ? static_cast<int>(std::ceil(-exponent * std::log10(2.0))) : 0;
  return DatumGetNumeric(DirectFunctionCall2(numeric_round, exact, Int32GetDatum(decimals)));
}

}  // namespace

DP_SQL_FUNCTION(dp_sum_add) { return add_value<SumState>(fcinfo); }

DP_SQL_FUNCTION(dp_sum_answer) {
  const auto& call = call_of<ValueCall>(fcinfo);
  const auto state = state_or_zero<SumState>(fcinfo);
  const auto refinement = call.calibration.refinement;
  const Int128 noisy = noised(call, static_cast<Int128>(state.total));
  switch (call.reader.type) {
    case INT2OID:
    case INT4OID:
      PG_RETURN_INT64(to_int64(noisy, refinement));
    case INT8OID:
      PG_RETURN_NUMERIC(to_numeric(to_whole(noisy, refinement)));
    case FLOAT8OID:
      PG_RETURN_FLOAT8(to_double(noisy, call.reader.exponent));
    default:
      PG_RETURN_NUMERIC(numeric_answer(noisy, call.reader.exponent));
  }
}

const Support kSum{dp_sum_add, dp_sum_answer, prepare_sum};

}  // namespace dp::aggregate
