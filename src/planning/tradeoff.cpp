// dp_tradeoff, dp_tradeoff_exponential, dp_tradeoff_response: one row for each epsilon of a range.
#include "core/planning/tradeoff.h"

#include "planning/values.h"

namespace dp::planning {
namespace {

// Rows (epsilon, expected_error, entropy_bits, phi, one_minus_ne), where point(epsilon) gives the figures. No object
// with a destructor may be alive here: storing a row may raise.
template <class Point>
Datum list(FunctionCallInfo fcinfo, const EpsilonRange& range, Point point) {
  InitMaterializedSRF(fcinfo, 0);
  const auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  for (int i = 0; i < range.steps; ++i) {
    CHECK_FOR_INTERRUPTS();
    const mechanism::Epsilon epsilon = range.at(i);
    const TradeoffPoint at = point(epsilon);
    Datum values[] = {Float8GetDatum(epsilon.value()), Float8GetDatum(at.expected_error),
                      Float8GetDatum(at.entropy_bits), Float8GetDatum(at.phi.value_or(0)),
                      Float8GetDatum(at.one_minus_ne.value_or(0))};
    bool nulls[] = {false, false, false, !at.phi, !at.one_minus_ne};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
  }
  PG_RETURN_VOID();
}

// Three arguments from `place` on: eps_from, eps_to, steps.
EpsilonRange range_argument(FunctionCallInfo fcinfo, int place) {
  return EpsilonRange::checked(PG_GETARG_FLOAT8(place), PG_GETARG_FLOAT8(place + 1), PG_GETARG_INT32(place + 2));
}

}  // namespace

// dp_tradeoff(mechanism, eps_from, eps_to, steps, sensitivity, t, integer, whole)
DP_SQL_FUNCTION(dp_tradeoff) {
  const Noise noise{mechanism_argument(fcinfo, 0), PG_GETARG_FLOAT8(4), lattice_argument(fcinfo, 6)};
  const double t = PG_GETARG_FLOAT8(5);
  check_argument(t);
  return list(fcinfo, range_argument(fcinfo, 1), [&](auto epsilon) { return noise_point(noise, epsilon, t); });
}

// dp_tradeoff_exponential(utilities, eps_from, eps_to, steps, sensitivity)
DP_SQL_FUNCTION(dp_tradeoff_exponential) {
  const auto utilities = numbers_argument(fcinfo, 0, "utilities");
  const double sensitivity = PG_GETARG_FLOAT8(4);
  check_utilities(utilities, sensitivity);
  return list(fcinfo, range_argument(fcinfo, 1),
              [&](auto epsilon) { return exponential_point(utilities, sensitivity, epsilon); });
}

// dp_tradeoff_response(shares, eps_from, eps_to, steps)
DP_SQL_FUNCTION(dp_tradeoff_response) {
  const auto shares = numbers_argument(fcinfo, 0, "shares");
  check_shares("shares", shares);
  return list(fcinfo, range_argument(fcinfo, 1), [&](auto epsilon) { return response_point(shares, epsilon); });
}

}  // namespace dp::planning
